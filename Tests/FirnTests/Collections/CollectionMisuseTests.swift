import Firn
import Foundation
import Testing

/// A type that cannot be stored.
private struct Foreign {}

/// A realm in memory with Ann and her one mark.
private func annsRealm() throws -> Realm {
    try citizenRealm { realm in
        let ann = Citizen("Ann")
        ann.marks.append(1)
        realm.add(ann)
    }
}

@Suite("Misuse of collections")
struct CollectionMisuseTests {
    @Test("A query argument that cannot be stored stops the program")
    func arguments() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try annsRealm().objects(Citizen.self).filter("age == %@", Foreign())
        }.says("Foreign cannot be an argument of a query: give a value that a property can have")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try annsRealm().objects(Citizen.self).filter("age IN %@", [1, Foreign()] as [Any])
        }.says("Foreign cannot be an argument of a query: give a value that a property can have")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let other = try #require(try annsRealm().objects(CitizenProjection.self).first)
            _ = try annsRealm().objects(Citizen.self).filter("spouse == %@", other)
        }.says("an argument of a query is an object of another realm: add it to this one")
    }

    @Test("Freezing a collection of a deleted object stops the program")
    func freezing() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try annsRealm()
            let ann = realm.objects(Citizen.self)[0]
            let marks = ann.marks
            try realm.write { realm.delete(ann) }
            _ = marks.freeze()
        }.says("what was deleted cannot be frozen: ask isInvalidated before")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ledgerRealm()
            let ledger = realm.objects(Ledger.self)[0]
            let scores = ledger.scores
            try realm.write { realm.delete(ledger) }
            _ = scores.freeze()
        }.says("what was deleted cannot be frozen: ask isInvalidated before")
    }

    @Test("Freezing or thawing an unmanaged collection stops the program")
    func unmanaged() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("Ann").marks.freeze()
        }.says("what is unmanaged cannot be frozen: add it to a realm first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("Ann").marks.thaw()
        }.says("what is unmanaged cannot be thawed: only what was frozen can")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Ledger().scores.thaw()
        }.says("what is unmanaged cannot be thawed: only what was frozen can")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CitizenProjection(projecting: Citizen("Ann")).thaw()
        }.says("what is unmanaged cannot be thawed: only what was frozen can")
    }
}
