import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Values of any type")
struct AnyRealmValueTests {
    /// One value of each type, except objects.
    private static var scalars: [AnyRealmValue] {
        [
            .none, .int(.min), .int(3), .bool(true), .float(1.5), .double(-.infinity),
            .string("ä"), .data(Data([1])), .date(Date(timeIntervalSince1970: 5)),
            .objectId(ObjectId("0102030405060708090a0b0c")), .decimal128(4),
            .uuid(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))),
        ]
    }

    @Test("A property can hold a value of any type")
    func properties() throws {
        let test = TestRealm([Anything.self])
        do {
            let realm = try test.open()
            try realm.write {
                for (index, value) in AnyRealmValueTests.scalars.enumerated() {
                    let object = Anything()
                    object.id = index
                    object.value = value
                    #expect(object.value == value)
                    realm.add(object)
                    #expect(object.value == value)
                }
            }
        }
        let realm = try test.open()
        for (index, value) in AnyRealmValueTests.scalars.enumerated() {
            let object = try #require(realm.object(ofType: Anything.self, forPrimaryKey: index))
            #expect(object.value == value)
            try realm.write { object.value = .string("other") }
            #expect(object.value.stringValue == "other")
            #expect(object.value.intValue == nil)
        }
    }

    @Test("A value knows its type, and returns nil as any other type")
    func accessors() {
        let toy = Toy(id: 1)
        #expect(AnyRealmValue().intValue == nil)
        #expect(AnyRealmValue.int(3).intValue == 3)
        #expect(AnyRealmValue.bool(true).boolValue == true)
        #expect(AnyRealmValue.float(3).floatValue == 3)
        #expect(AnyRealmValue.double(3).doubleValue == 3)
        #expect(AnyRealmValue.string("a").stringValue == "a")
        #expect(AnyRealmValue.data(Data([1])).dataValue == Data([1]))
        #expect(AnyRealmValue.date(Date(timeIntervalSince1970: 1)).dateValue != nil)
        #expect(AnyRealmValue.object(toy).object(Toy.self) === toy)
        #expect(AnyRealmValue.object(toy).object(Person.self) == nil)
        #expect(AnyRealmValue.objectId(ObjectId.generate()).objectIdValue != nil)
        #expect(AnyRealmValue.decimal128(3).decimal128Value == 3)
        #expect(AnyRealmValue.uuid(UUID()).uuidValue != nil)
        #expect(AnyRealmValue.fromArray([.int(1)]).listValue?.count == 1)
        #expect(AnyRealmValue.fromDictionary(["a": .int(1)]).dictionaryValue?["a"] == .int(1))
        for value in AnyRealmValueTests.scalars {
            #expect(value.listValue == nil)
            #expect(value.dictionaryValue == nil)
        }
    }

    @Test("Values are equal by type and content, including lists and dictionaries")
    func equality() {
        #expect(AnyRealmValue.int(1) != .double(1))
        #expect(AnyRealmValue.none == AnyRealmValue())
        #expect(AnyRealmValue.fromArray([.int(1)]) == .fromArray([.int(1)]))
        #expect(AnyRealmValue.fromArray([.int(1)]) != .fromArray([.int(2)]))
        #expect(AnyRealmValue.fromDictionary(["a": .none]) == .fromDictionary(["a": .none]))
        #expect(AnyRealmValue.fromDictionary(["a": .none]) != .fromDictionary([:]))
        let values = AnyRealmValueTests.scalars + [.fromArray([.int(1)]), .fromDictionary([:])]
        #expect(Set(values).count == values.count)
        #expect(values.allSatisfy { Set(values).contains($0) })
    }

    @Test("An object held as a value is added with its owner, and becomes nil when it is deleted")
    func objects() throws {
        let realm = try makeRealm([Anything.self, Toy.self])
        let object = Anything()
        object.value = .object(Toy(id: 1, name: "Ball"))
        object.list.append(.object(Toy(id: 2)))
        try realm.write { realm.add(object) }
        #expect(object.value.object(Toy.self)?.name == "Ball")
        #expect(realm.objects(Toy.self).count == 2)
        try realm.write { realm.delete(realm.objects(Toy.self)) }
        #expect(object.value == .none)
        #expect(Array(object.list) == [.none])
    }

    @Test("A value can contain lists and dictionaries, which are changed in place")
    func nested() throws {
        let realm = try makeRealm([Anything.self, Toy.self])
        let object = Anything()
        object.value = .fromDictionary([
            "a": .fromArray([.int(1), .fromDictionary(["x": .string("deep")])]), "b": .int(2),
        ])
        try realm.write { realm.add(object) }
        let map = try #require(object.value.dictionaryValue)
        let list = try #require(map["a"]?.listValue)
        let deep = try #require(list[1].dictionaryValue)
        #expect(deep["x"]?.stringValue == "deep")
        #expect(deep.realm == realm)
        try realm.write {
            list.append(.int(9))
            deep["y"] = .object(Toy(id: 1))
            map["c"] = .fromArray([])
            map["c"]?.listValue?.append(.bool(true))
        }
        #expect(list.count == 3)
        #expect(list[2] == .int(9))
        #expect(deep.keys == ["x", "y"])
        #expect(deep["y"]?.object(Toy.self)?.id == 1)
        #expect(map["c"]?.listValue?[0] == .bool(true))
        try realm.write { list.remove(at: 0) }
        #expect(list[0].dictionaryValue?.count == 2)
        #expect(deep.isInvalidated)
        try realm.write { object.value = .int(3) }
        #expect(map.isInvalidated)
        #expect(list.isInvalidated)
    }

    @Test("A value can be an element, even with lists and dictionaries in it")
    func elements() throws {
        let realm = try makeRealm([Anything.self])
        let object = Anything()
        let values = AnyRealmValueTests.scalars
        object.list.append(objectsIn: values + [.fromArray(values)])
        object.set.insert(objectsIn: values)
        for (index, value) in values.enumerated() { object.map["k\(index)"] = value }
        object.map["list"] = .fromArray([.int(1)])
        try realm.write { realm.add(object) }
        #expect(Array(object.list.prefix(values.count)) == values)
        #expect(object.list.last == .fromArray(values))
        #expect(Set(object.set) == Set(values))
        #expect(values.allSatisfy { object.set.contains($0) })
        #expect(values.indices.allSatisfy { object.map["k\($0)"] == values[$0] })
        let inner = try #require(object.list.last?.listValue)
        let mapped = try #require(object.map["list"]?.listValue)
        try realm.write {
            inner[0] = .string("new")
            inner.move(from: 0, to: 1)
            mapped.append(.int(2))
        }
        #expect(object.list.last?.listValue?[1] == .string("new"))
        #expect(object.map["list"] == .fromArray([.int(1), .int(2)]))
        let frozen = inner.freeze()
        try realm.write { inner.removeAll() }
        #expect(frozen.count == values.count)
        #expect(frozen.thaw()?.count == 0)
    }

    @Test("Values are found in collections, even as objects")
    func searching() throws {
        let realm = try makeRealm([Anything.self, Toy.self])
        let object = Anything()
        let toy = Toy(id: 1)
        object.list.append(objectsIn: [.int(1), .object(toy), .none])
        object.set.insert(objectsIn: [.int(1), .object(toy), .none])
        try realm.write { realm.add(object) }
        #expect(object.list.index(of: .object(toy)) == 1)
        #expect(object.list.index(of: AnyRealmValue.none) == 2)
        #expect(object.list.index(of: .object(Toy(id: 2))) == nil)
        #expect(object.set.contains(.object(toy)))
        #expect(!object.set.contains(.object(Toy(id: 2))))
        try realm.write {
            object.set.remove(.object(toy))
            object.set.remove(.object(Toy(id: 2)))
        }
        #expect(Set(object.set) == [.int(1), .none])
    }

    @Test("A value is copied together with its object from another realm")
    func copying() throws {
        let (here, there) = (
            try makeRealm([Anything.self, Toy.self]), try makeRealm([Anything.self, Toy.self])
        )
        let original = Anything()
        original.value = .object(Toy(id: 1, name: "Ball"))
        original.map["a"] = .fromArray([.int(1)])
        try there.write { there.add(original) }
        let copy = try here.write { here.create(Anything.self, value: original) }
        #expect(copy.value.object(Toy.self)?.name == "Ball")
        #expect(copy.value.object(Toy.self)?.realm == here)
        #expect(copy.map["a"] == .fromArray([.int(1)]))
    }

    @Test("Values nest up to 100 levels deep")
    func depth() throws {
        let realm = try makeRealm([Anything.self])
        let object = Anything()
        object.value = nestedLists(100)
        try realm.write { realm.add(object) }
        #expect(object.value == nestedLists(100))
    }

    @Test("A value that cannot be stored stops the program")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Anything.self])
            let object = Anything()
            object.value = nestedLists(101)
            try realm.write { realm.add(object) }
        }.says("lists and dictionaries are nested more than 100 levels deep")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Anything.self])
            let object = Anything()
            object.value = nestedLists(100)
            try realm.write {
                realm.add(object)
                var list = object.value.listValue
                while let next = list?.first?.listValue { list = next }
                list?.append(.fromArray([]))
            }
        }.says("lists and dictionaries are nested more than 100 levels deep")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Anything.self])
            let object = Anything()
            let list = List<AnyRealmValue>()
            list.append(.list(list))
            object.value = .list(list)
            try realm.write { realm.add(object) }
        }.says("lists and dictionaries are nested more than 100 levels deep")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Anything.self])
            let object = Anything()
            object.value = .fromArray([.int(1)])
            try realm.write { realm.add(object) }
            object.value.listValue?.append(.int(2))
        }.says("cannot change Anything.value outside of a write transaction:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Anything.self])
            let object = Anything()
            try realm.write {
                realm.add(object)
                object.set.insert(.fromArray([.int(1)]))
            }
        }.says("a list or dictionary cannot be an element of a set: put it")
    }

    @Test("Values are created from other types by property name")
    func conversion() throws {
        let realm = try makeRealm([Anything.self])
        try realm.write {
            let object = realm.create(
                Anything.self,
                value: [
                    "id": 1, "value": ["a": [1, "b"] as [Any]] as [String: Any],
                    "list": [1, "x", true, NSNull()] as [Any],
                ])
            #expect(
                object.value == .fromDictionary(["a": .fromArray([.int(1), .string("b")])]))
            #expect(Array(object.list) == [.int(1), .string("x"), .bool(true), .none])
        }
    }
}

class Anything: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
}

/// Nested lists.
private func nestedLists(_ depth: Int) -> AnyRealmValue {
    (1..<depth).reduce(AnyRealmValue.fromArray([])) { inner, _ in .fromArray([inner]) }
}
