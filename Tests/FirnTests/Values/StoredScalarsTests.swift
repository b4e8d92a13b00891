import Firn
import Foundation
import Testing

@Suite("Decimals and ObjectIds in a database")
struct StoredScalarsTests {
    final class Account: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var balance: Decimal128
        @Persisted var limit: Decimal128?
        @Persisted var owner: ObjectId?
    }

    @Test("Decimals and object ids round-trip, including trailing zeros")
    func roundTrip() throws {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: "stored scalars", objectTypes: [Account.self]))
        let account = Account()
        #expect(account.balance == 0 && account.limit == nil && account.id != Account().id)
        account.balance = "-19.90"
        let id = account.id
        try realm.write { realm.add(account) }
        let found = try #require(realm.object(ofType: Account.self, forPrimaryKey: id))
        #expect(found.id == id && found.balance.stringValue == "-19.90" && found.owner == nil)
        try realm.write {
            found.limit = 0.1 + 0.2
            found.owner = id
        }
        #expect(found.limit?.stringValue == "0.3" && found.owner == id)
    }
}
