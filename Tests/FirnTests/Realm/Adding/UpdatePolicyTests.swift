import Firn
import Foundation
import Testing

class Ticket: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var price: Double?
    @Persisted var seller: Ticket?
    @Persisted var tags: List<String>
    @Persisted var marks: MutableSet<Int>
    @Persisted var notes: Map<String, String>
    @Persisted var parts: List<TicketPart>

    convenience init(_ id: Int, _ title: String = "", seller: Ticket? = nil) {
        self.init()
        self.id = id
        self.title = title
        self.seller = seller
        price = 1.5
        tags.append(objectsIn: ["b", "a"])
        marks.insert(objectsIn: [3, 1])
        notes["x"] = "y"
    }
}

/// It has no key, so it is always created.
class TicketPart: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name = ""
}

/// Equal values were treated the wrong way round: `create` with `.modified` set them, and `add`
/// with `.all` left them out.
@Suite("Updates of existing objects")
struct UpdatePolicyTests {
    enum Entry: CaseIterable {
        case add, create, dynamicCreate

        /// Passes all values of ticket 1 again, with another title.
        func update(_ realm: Realm, _ title: String, _ policy: Realm.UpdatePolicy) {
            let seller = realm.object(ofType: Ticket.self, forPrimaryKey: 2)
            let values: [String: Any] = [
                "id": 1, "title": title, "price": 1.5, "seller": seller as Any,
                "tags": ["b", "a"], "marks": [1, 3], "notes": ["x": "y"],
            ]
            switch self {
            case .add: realm.add(Ticket(1, title, seller: seller), update: policy)
            case .create: realm.create(Ticket.self, value: values, update: policy)
            case .dynamicCreate: realm.dynamicCreate("Ticket", value: values, update: policy)
            }
        }

        /// The properties that the update sets.
        var given: String {
            "title price seller tags marks notes" + (self == .add ? " parts" : "")
        }
    }

    private let realm: Realm
    private let ticket: Ticket
    private let told = Told()
    private let toldOfPrices = Told()
    private let tokens: [NotificationToken]

    init() throws {
        let realm = try makeRealm([Ticket.self])
        try realm.write { realm.add(Ticket(1, "old", seller: Ticket(2))) }
        self.realm = realm
        let ticket = try #require(realm.object(ofType: Ticket.self, forPrimaryKey: 1))
        self.ticket = ticket
        let (told, toldOfPrices) = (told, toldOfPrices)
        tokens = [
            ticket.observe { change in
                guard case .change(_, let properties) = change else { return }
                told.add(properties.map(\.name).joined(separator: " "))
            },
            realm.objects(Ticket.self).sorted(byKeyPath: "id")
                .observe(keyPaths: ["price"]) { toldOfPrices.add($0) },
        ]
        realm.refresh()
        #expect(toldOfPrices.news == ["initial 2"])
    }

    @Test("An update with .modified changes only values that differ", arguments: Entry.allCases)
    func modified(_ entry: Entry) throws {
        try realm.write { entry.update(realm, "new", .modified) }
        realm.refresh()
        #expect(told.news == ["title"])
        #expect(toldOfPrices.news.isEmpty)
        #expect(ticket.title == "new" && ticket.seller?.id == 2)
        try realm.write { entry.update(realm, "new", .modified) }
        realm.refresh()
        #expect(told.news.isEmpty)
        #expect(toldOfPrices.news.isEmpty)
        #expect(Array(ticket.tags) == ["b", "a"])
    }

    @Test("An update with .all sets all given values", arguments: Entry.allCases)
    func all(_ entry: Entry) throws {
        try realm.write { entry.update(realm, "old", .all) }
        realm.refresh()
        #expect(told.news == [entry.given])
        #expect(toldOfPrices.news == ["-[] +[] ~[0]"])
        #expect(ticket.title == "old" && ticket.seller?.id == 2)
        #expect(Array(ticket.tags) == ["b", "a"] && ticket.marks.count == 2)
        #expect(ticket.notes["x"] == "y")
    }

    @Test("An update of objects in a cycle keeps the links, and does not report equal ones")
    func circle() throws {
        let others = [Ticket(1, "old", seller: Ticket(2)), Ticket(1, "old", seller: Ticket(2))]
        for other in others { other.seller?.seller = other }
        try realm.write { realm.add(others[0], update: .modified) }
        realm.refresh()
        // Only the other ticket got a link.
        #expect(told.news.isEmpty)
        #expect(ticket.seller?.seller?.id == 1)
        let second = try #require(ticket.seller)
        let toldOfSecond = Told()
        let token = second.observe { toldOfSecond.add($0.line) }
        realm.refresh()
        try realm.write { realm.add(others[1], update: .modified) }
        realm.refresh()
        #expect(told.news.isEmpty && toldOfSecond.news.isEmpty)
        #expect(ticket.seller?.seller?.id == 1)
        withExtendedLifetime(token) {}
    }

    /// A nested object, unlike nested values, was refused because of its existing key, or because
    /// it had no key.
    @Test("An update also updates nested objects, and creates nested objects without a key")
    func nested() throws {
        try realm.write {
            realm.create(
                Ticket.self,
                value: ["id": 1, "seller": Ticket(2, "second"), "parts": [["name": "a"]]],
                update: .modified)
            realm.create(Ticket.self, value: ["id": 3, "seller": Ticket(2, "third")], update: .all)
        }
        #expect(ticket.parts.map(\.name) == ["a"])
        #expect(realm.objects(Ticket.self).count == 3)
        #expect(ticket.seller?.title == "third")
        #expect(ticket.title == "old")
    }
}
