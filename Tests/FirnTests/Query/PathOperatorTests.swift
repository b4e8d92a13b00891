import Firn
import Testing

/// Operators of key-value coding in query texts, which `NSPredicate` knows and Firn refused.
@Suite("Operators of key paths in query texts")
struct PathOperatorTests {
    @Test("A union of objects can be compared with ANY")
    func unions() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            ann.hounds.append(objectsIn: [Hound("Rex", age: 3), Hound("Fia", age: 9)])
            realm.add([ann, Citizen("Bob")])
        }
        let all = realm.objects(Citizen.self)
        func names(_ text: String) -> [String] { all.filter(text).map(\.firstName) }
        #expect(names("ANY hounds.@unionOfObjects.age > 5") == ["Ann"])
        #expect(names("hounds.@distinctUnionOfObjects.name == 'Rex'") == ["Ann"])
        #expect(names("NONE hounds.@unionOfObjects.age > 5") == ["Bob"])
    }

    @Test("A union without a property stops the program")
    func bare() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).filter("ANY hounds.@unionOfObjects > 5")
        }.says("the query \"ANY hounds.@unionOfObjects > 5\" is wrong")
    }

    @Test("@allKeys and @allValues are the keys and values of a map")
    func maps() throws {
        let all = try ledgerRealm().objects(Ledger.self)
        func names(_ text: String) -> [String] { all.filter(text).map(\.name) }
        #expect(names("ANY scores.@allKeys == 'y'") == ["a"])
        #expect(names("ANY scores.@allValues > 4") == ["a", "b"])
    }
}
