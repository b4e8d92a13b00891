// Two unmanaged lists, sets or maps were equal only if they were the same instance. In Realm
// unmanaged collections with equal content are equal, and a managed one is equal only to the same
// property of the same object.

import Firn
import Testing

@Suite("Equality of unmanaged collections")
struct UnmanagedEqualityTests {
    private func list(_ values: Int...) -> List<Int> {
        let list = List<Int>()
        list.append(objectsIn: values)
        return list
    }

    private func set(_ values: Int...) -> MutableSet<Int> {
        let set = MutableSet<Int>()
        set.insert(objectsIn: values)
        return set
    }

    private func map(_ entries: [String: Int?]) -> Map<String, Int?> {
        let map = Map<String, Int?>()
        map.merge(entries) { $1 }
        return map
    }

    @Test("Unmanaged collections are equal if their content is equal")
    func content() {
        #expect(list(1, 2) == list(1, 2))
        #expect(list(1, 2) != list(2, 1))
        #expect(List<Int>() == List<Int>())
        #expect(set(1, 2, 3) == set(3, 2, 1))
        #expect(set(1, 2) != set(1, 2, 3))
        #expect(map(["a": 1, "b": nil]) == map(["b": nil, "a": 1]))
        #expect(map(["a": 1]) != map(["a": 2]))
        #expect(map(["a": 1]) != map(["b": 1]))
        let person = Person()
        let (one, other) = (List<Person>(), List<Person>())
        one.append(person)
        other.append(person)
        #expect(one == other)
        other[0] = Person()
        #expect(one != other)
    }

    /// Once they are in a realm, both texts differ, whatever Swift says.
    @Test("Unmanaged strings are equal if their bytes are equal")
    func texts() throws {
        func list(_ text: String?) -> List<String?> {
            let list = List<String?>()
            list.append(text)
            return list
        }
        let (composed, other) = (list("\u{e9}"), list("e\u{301}"))
        #expect(composed != other)
        #expect(composed == list("\u{e9}") && list(nil) == list(nil))
        #expect(composed.index(of: "e\u{301}") == nil)
        #expect(other.index(of: "e\u{301}") == 0)
        #expect(AnyRealmCollection(composed) != AnyRealmCollection(other))
        let (one, two) = (Map<String, String>(), Map<String, String>())
        one["k"] = "\u{e9}"
        two["k"] = "e\u{301}"
        #expect(one != two)
        two["k"] = "\u{e9}"
        #expect(one == two)
    }

    @Test("Type-erased unmanaged collections are equal if their content is equal")
    func erased() {
        #expect(AnyRealmCollection(list(1, 2)) == AnyRealmCollection(list(1, 2)))
        #expect(AnyRealmCollection(list(1, 2)) != AnyRealmCollection(list(1)))
        #expect(AnyRealmValue.list(anyList(1)) == .list(anyList(1)))
    }

    private func anyList(_ value: Int) -> List<AnyRealmValue> {
        let list = List<AnyRealmValue>()
        list.append(.int(value))
        return list
    }

    @Test("Unmanaged collections never equal managed ones")
    func managed() throws {
        let realm = try citizenRealm()
        try realm.write {
            let ann = Citizen("Ann")
            ann.marks.append(1)
            let bob = Citizen("Bob")
            bob.marks.append(1)
            realm.add([ann, bob])
            #expect(ann.marks != list(1))
            #expect(list(1) != ann.marks)
            #expect(ann.marks != bob.marks)
            #expect(ann.marks == ann.marks)
        }
    }
}
