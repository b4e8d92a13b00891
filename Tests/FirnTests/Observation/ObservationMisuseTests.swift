import Firn
import Foundation
import Testing

@Suite("Misuse of observation")
struct ObservationMisuseTests {
    @Test("Observing an unmanaged, deleted or frozen object stops the program")
    func unobservable() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("Ann").observe { _ in }
        }.says("in no realm", "add it first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("Ann").friends.observe { _ in }
        }.says("in no realm", "add it first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self).freeze().observe { _ in }
        }.says("frozen", "thaw()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.freeze().observe { _, _ in }
        }.says("frozen", "thaw()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let ann = realm.objects(Citizen.self)[0]
            try realm.write { realm.delete(ann) }
            _ = ann.observe { _ in }
        }.says("deleted or invalidated", "isInvalidated")
    }

    @Test("Observing a read-only realm stops the program")
    func readOnly() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            _ = try test.open()
            var configuration = test.configuration
            configuration.readOnly = true
            let realm = try Realm(configuration: configuration)
            _ = realm.objects(Person.self).observe { _ in }
        }.says("reading only", "without readOnly")
    }

    @Test("Observing in a write transaction stops the program, even before its first change")
    func inTransaction() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm()
            try realm.write {
                realm.add(Citizen("Ann"))
                _ = realm.objects(Citizen.self).observe { _ in }
            }
        }.says("in a write transaction", "before the transaction, or after it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm()
            try realm.write { _ = realm.objects(Citizen.self).observe { _ in } }
        }.says("in a write transaction", "before the transaction, or after it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            realm.beginWrite()
            _ = realm.objects(Citizen.self)[0].observe { _ in }
        }.says("in a write transaction", "before the transaction, or after it")
    }

    @Test("Observing an invalid key path stops the program")
    func keyPaths() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).observe(keyPaths: ["nme"]) { _ in }
        }.says("Citizen has no persisted property named \"nme\"", "firstName")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).observe(keyPaths: ["age.x"]) { _ in }
        }.says("Citizen.age is not a link", "\"age.x\"")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).observe(keyPaths: [\.fullName]) { _ in }
        }.says("is not a persisted property")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self)[0].marks.observe(keyPaths: ["x"]) { _ in }
        }.says("values have no properties")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(CitizenProjection.self)[0].observe(keyPaths: ["age"]) { _ in }
        }.says("CitizenProjection shows nothing", "homeCity")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(CitizenProjection.self)[0].observe(keyPaths: ["home.city"]) { _ in }
        }.says("CitizenProjection shows nothing at the key path \"home.city\"", "homeCity")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let ann = realm.objects(CitizenProjection.self)[0]
            _ = ann.observe(keyPaths: [\.rootObject.age]) { _ in }
        }.says("is not a property of CitizenProjection with @Projected")
    }

    @Test("Suppressing tokens of another realm, or outside of a transaction, stops the program")
    func withoutNotifying() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (first, second) = (try citizenRealm(), try citizenRealm())
            let token = first.objects(Citizen.self).observe { _ in }
            try second.write(withoutNotifying: [token]) {}
        }.says("token of another realm")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm()
            let token = realm.objects(Citizen.self).observe { _ in }
            try realm.commitWrite(withoutNotifying: [token])
        }.says("outside of a write transaction")
    }

    @Test("A block that leaves a transaction open stops the program")
    func leftOpen() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm()
            let token = realm.objects(Citizen.self).observe { _ in realm.beginWrite() }
            realm.refresh()
            token.invalidate()
        }.says("left a write transaction open", "commit or cancel")
    }
}
