import Firn
import Foundation
import Testing

@Suite("Objects and collections after invalidate()")
struct InvalidationTests {
    private let realm: Realm

    init() throws {
        realm = try ledgerRealm()
        try realm.write {
            let ann = Citizen("Ann", "Berg", age: 30)
            ann.hounds.append(objectsIn: realm.objects(Hound.self))
            ann.marks.append(objectsIn: [3, 5])
            realm.add(ann)
        }
    }

    @Test("Old objects stay invalidated, and newly fetched ones are valid")
    func objects() throws {
        let ann = try #require(realm.objects(Citizen.self).first)
        let unread = try #require(realm.objects(Citizen.self).first)
        #expect(ann.firstName == "Ann")
        realm.invalidate()
        for step in 0..<3 {
            #expect(ann.isInvalidated && unread.isInvalidated, "step \(step)")
            #expect("\(ann)" == "Citizen (invalid)")
            let found = try #require(realm.objects(Citizen.self).first)
            #expect(!found.isInvalidated && found.firstName == "Ann")
            try realm.write { found.age += 1 }
            #expect(ann.isInvalidated && !found.isInvalidated)
            realm.refresh()
        }
        try realm.write {
            #expect(ann.isInvalidated)
            let found = try #require(realm.objects(Citizen.self).first)
            found.age = 50
            #expect(ann.isInvalidated && unread.isInvalidated && !found.isInvalidated)
        }
        #expect(realm.objects(Citizen.self).first?.age == 50)
    }

    @Test("Collections of all kinds stay invalidated")
    func collections() throws {
        let ann = try #require(realm.objects(Citizen.self).first)
        let ledger = try #require(realm.objects(Ledger.self).last)
        let fia = try #require(realm.object(ofType: Hound.self, forPrimaryKey: "Fia"))
        let all = realm.objects(Hound.self)
        let (hounds, marks, owners) = (ann.hounds, ann.marks, fia.owners)
        let old = all.filter("age > 3")
        let ofList = ann.hounds.filter("age > 3")
        let sortedMarks = ann.marks.sorted(ascending: false)
        let (scores, tags) = (ledger.scores, ledger.tags)
        #expect(all.count == 2 && old.count == 1 && ofList.count == 1 && sortedMarks.count == 2)
        #expect(hounds.count == 2 && marks[0] == 3 && owners.count == 1)
        realm.invalidate()
        try realm.write { realm.add(Citizen("Bob")) }
        #expect(hounds.isInvalidated && marks.isInvalidated && owners.isInvalidated)
        #expect(all.isInvalidated && old.isInvalidated && ofList.isInvalidated)
        #expect(sortedMarks.isInvalidated && scores.isInvalidated && tags.isInvalidated)
        // Like those of an empty realm.
        #expect(all.isEmpty && all.first == nil && Array(old) == [] && ofList.count == 0)
        #expect(all.filter("age > 3").isInvalidated && all.filter("age > 3").isEmpty)
        #expect(sortedMarks.isEmpty)
        #expect(realm.objects(Hound.self).filter("age > 3").count == 1)
    }

    @Test("Nested values, boxed properties and projections stay invalidated")
    func others() throws {
        let ledger = try #require(realm.objects(Ledger.self).filter("name == 'b'").first)
        let nested = try #require(ledger.anything.dictionaryValue)
        let projection = LedgerProjection(projecting: ledger)
        let names = projection.packNames
        #expect(nested["size"] == .int(3))
        realm.invalidate()
        realm.refresh()
        #expect(nested.isInvalidated && projection.isInvalidated && names.isInvalidated)
        #expect(try #require(realm.objects(Ledger.self).first).rank.value == 1)
    }

    @Test("Reading, changing, adding or deleting an invalidated object stops the program")
    func misuse() async {
        let reading = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { try invalidated { _, citizen, _ in _ = citizen.firstName } }
        #expect(message(of: reading).contains("was invalidated"))
        let setting = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { try invalidated { _, citizen, _ in citizen.firstName = "x" } }
        #expect(message(of: setting).contains("was invalidated"))
        let adding = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { try invalidated { realm, citizen, _ in realm.add(citizen) } }
        #expect(message(of: adding).contains("invalidated cannot be added"))
        let counting = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { try invalidated { _, _, list in _ = list.count } }
        #expect(message(of: counting).contains("is gone"))
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try invalidated { realm, citizen, _ in realm.delete(citizen) }
        }.says("the Citizen was deleted already: ask isInvalidated before")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try invalidated { realm, citizen, _ in
                realm.create(Citizen.self, value: ["spouse": citizen])
            }
        }.says("a link to an object whose realm was invalidated: ask the")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try invalidated { _, _, list in _ = list[0] }
        }.says("the Citizen.marks is gone: its object was deleted, or the")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try invalidated { _, _, list in list.append(3) }
        }.says("the Citizen.marks is gone: its object was deleted, or the")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ledgerRealm()
            let rank = try #require(realm.objects(Ledger.self).first).rank
            realm.invalidate()
            _ = rank.value
        }.says("this Ledger has been deleted, or its realm was invalidated:")
    }
}

/// Passes an object and a list of an invalidated realm to the body in a transaction.
private func invalidated(_ body: (Realm, Citizen, List<Int>) -> Void) throws {
    let realm = try citizenRealm { realm in
        let ann = Citizen("Ann")
        ann.marks.append(1)
        realm.add(ann)
    }
    let ann = try #require(realm.objects(Citizen.self).first)
    let marks = ann.marks
    realm.invalidate()
    try realm.write { body(realm, ann, marks) }
}
