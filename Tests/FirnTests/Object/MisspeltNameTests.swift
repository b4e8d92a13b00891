// `realm.create(Person.self, value: ["nmae": "Ann"])` stored a person without a name, and nothing
// reported that. Realm ignores such a key as well; a misspelt name stops the program everywhere
// else in Firn, as in `dynamicCreate` and `person["nmae"]`, so it does here.

import Firn
import Foundation
import Testing

private class Worker: Object {
    @Persisted var name = ""
    @Persisted var boss: Worker?
    @Persisted var home: WorkerHome?
    @Persisted var staff: List<Worker>
    @Persisted(originProperty: "boss") var below: LinkingObjects<Worker>
    var unstored = 0

    override class func ignoredProperties() -> [String] { ["unstored"] }
}

private class WorkerHome: EmbeddedObject {
    @Persisted var city = ""
}

private func workers() throws -> Realm {
    try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: UUID().uuidString, objectTypes: [Worker.self]))
}

@Suite("Misspelt names among the values of an object")
struct MisspeltNameTests {
    @Test(
        "A misspelt name stops the program, and the message suggests the right one",
        .tags(.difference))
    func stops() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try workers()
            try realm.write { _ = realm.create(Worker.self, value: ["nmae": "Ann"]) }
        }.says(
            "Worker has no persisted property named nmae: it has name, boss, home",
            "; did you mean \"name\"?")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Worker(value: ["name": "Ann", "bos": ["name": "Bob"]])
        }.says("Worker has no persisted property named bos", "; did you mean \"boss\"?")
    }

    @Test("A misspelt name in a nested object also stops the program")
    func nested() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try workers()
            try realm.write {
                _ = realm.create(Worker.self, value: ["staff": [["Name": "Ann"]]])
            }
        }.says("Worker has no persisted property named Name", "; did you mean \"name\"?")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Worker(value: ["home": ["town": "Oslo"]])
        }.says("WorkerHome has no persisted property named town: it has city")
    }

    @Test("The names of inverses and of ignored properties are allowed")
    func allowed() throws {
        let realm = try workers()
        try realm.write {
            let ann = realm.create(
                Worker.self, value: ["name": "Ann", "below": [], "unstored": 3] as [String: Any])
            #expect(ann.name == "Ann")
        }
    }
}
