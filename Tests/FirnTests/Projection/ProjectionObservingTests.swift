// Three ways in which an observed projection reported too little or too much.
//
// The observed paths were taken from the values that the properties had when `observe` was called:
// behind a link or an embedded object that was nil then, only the collection itself was observed,
// and a change of its elements was never reported. Realm takes the paths from the key paths of the
// declaration.
//
// A projection that was observed for one key path reported every property that shows a value behind
// the same link. Realm documents of `keyPaths`: "Only properties contained in the key paths array
// will trigger the block when they are modified."
//
// A projected list had no new value. The documentation of Realm says so of lists, but its object
// observers pass the list, and so does Firn for sets and maps.

import Firn
import Foundation
import Testing

private class Landlord: Object {
    @Persisted var name = ""
    @Persisted var address: LandlordAddress?
    @Persisted var agent: Agent?
    @Persisted var notes: List<String>
}

private class LandlordAddress: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var country = ""
    @Persisted var phones: List<Phone>
}

private class Phone: EmbeddedObject {
    @Persisted var number = ""
    @Persisted var isMobile = false
}

private class Agent: Object {
    @Persisted var name = ""
    @Persisted var clients: MutableSet<Landlord>
}

private class LandlordProjection: Projection<Landlord> {
    @Projected(\Landlord.address?.phones.projectTo.number)
    var numbers: ProjectedCollection<String>?
    @Projected(\Landlord.agent?.clients.projectTo.name)
    var colleagues: ProjectedCollection<String>?
}

private class AddressProjection: Projection<Landlord> {
    @Projected(\Landlord.address?.city) var city
    @Projected(\Landlord.address?.country) var country
    @Projected(\Landlord.name) var name
}

private class NotesProjection: Projection<Landlord> {
    @Projected(\Landlord.notes) var lines
}

@Suite("Observation of projections")
struct ProjectionObservingTests {
    private let realm: Realm
    private let owner: Landlord
    private let told = Told()

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Landlord.self]))
        owner = Landlord()
        let (realm, owner) = (realm, owner)
        try realm.write { realm.add(owner) }
    }

    private func names(_ change: ObjectChange<some Projection<Landlord>>) -> String {
        switch change {
        case .change(_, let properties): properties.map(\.name).joined(separator: ", ")
        case .deleted: "deleted"
        case .error(let error): "\(error)"
        }
    }

    @Test("Changes in an embedded object that was nil at first are reported")
    func embedded() throws {
        let token = LandlordProjection(projecting: owner).observe { told.add(names($0)) }
        realm.refresh()
        let address = LandlordAddress()
        address.phones.append(Phone(value: ["1"]))
        try realm.write { owner.address = address }
        realm.refresh()
        #expect(told.news == ["numbers"])
        try realm.write { owner.address?.phones[0].number = "2" }
        realm.refresh()
        #expect(told.news == ["numbers"])
        try realm.write { owner.address?.phones[0].isMobile = true }
        realm.refresh()
        #expect(told.news == [])
        withExtendedLifetime(token) {}
    }

    @Test("Changes in the target of a link that was nil at first are reported, even by name")
    func link() throws {
        let token = LandlordProjection(projecting: owner)
            .observe(keyPaths: ["colleagues"]) { told.add(names($0)) }
        realm.refresh()
        try realm.write {
            let agent = Agent()
            agent.clients.insert(owner)
            owner.agent = agent
        }
        realm.refresh()
        #expect(told.news == ["colleagues"])
        try realm.write { owner.name = "Ann" }
        realm.refresh()
        #expect(told.news == ["colleagues"])
        withExtendedLifetime(token) {}
    }

    @Test("Observing one key path does not report other key paths over the same link")
    func oneKeyPath() throws {
        try realm.write { owner.address = LandlordAddress() }
        let projection = AddressProjection(projecting: owner)
        let tokens = [
            projection.observe(keyPaths: ["city"]) { told.add("name " + names($0)) },
            projection.observe(keyPaths: [\AddressProjection.city]) {
                told.add("path " + names($0))
            },
        ]
        realm.refresh()
        try realm.write { owner.address?.city = "Oslo" }
        realm.refresh()
        #expect(told.news == ["name city", "path city"])
        try realm.write { owner.address?.country = "Norway" }
        realm.refresh()
        #expect(told.news == [])
        withExtendedLifetime(tokens) {}
    }

    @Test(
        "A changed list has the list as its new value, for projections and objects",
        .tags(.difference))
    func newValues() throws {
        var lists: [Any?] = []
        let tokens = [
            owner.observe { change in
                if case .change(_, let properties) = change { lists += properties.map(\.newValue) }
            },
            NotesProjection(projecting: owner).observe { change in
                if case .change(_, let properties) = change { lists += properties.map(\.newValue) }
            },
        ]
        realm.refresh()
        try realm.write { owner.notes.append("a") }
        realm.refresh()
        #expect(lists.count == 2)
        for list in lists {
            #expect((list as? List<String>).map { Array($0) } == ["a"])
        }
        withExtendedLifetime(tokens) {}
    }
}
