import Firn
import Foundation

enum LedgerKind: String, PersistableEnum {
    case open, closed
}

struct Cents: CustomPersistable, Hashable {
    var amount: Int
    init(_ amount: Int) { self.amount = amount }
    init(persistedValue: Int) { amount = persistedValue }
    var persistableValue: Int { amount }
}

/// A class with properties of the kinds that citizens do not have.
class Ledger: Object {
    @Persisted var name = ""
    @Persisted var kind = LedgerKind.open
    @Persisted var formerKind: LedgerKind?
    @Persisted var balance: Cents
    @Persisted var limit: Decimal128
    @Persisted var code: ObjectId
    @Persisted var anything: AnyRealmValue
    @Persisted var scores: Map<String, Int>
    @Persisted var pets: Map<String, Hound?>
    @Persisted var tags: MutableSet<String>
    @Persisted var pack: MutableSet<Hound>
    let rank = RealmProperty<Int?>()
}

class LedgerProjection: Projection<Ledger> {
    @Projected(\Ledger.pack.projectTo.name) var packNames: ProjectedCollection<String>
    @Projected(\Ledger.kind) var kind
}

/// Three ledgers, which differ in all properties.
func ledgerRealm() throws -> Realm {
    let realm = try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: UUID().uuidString,
            objectTypes: [Ledger.self, Hound.self, Citizen.self]))
    try realm.write {
        let rex = Hound("Rex", age: 3)
        let fia = Hound("Fia", age: 9)
        realm.add([rex, fia])
        let ledgers = ["a", "b", "c"].map { name in
            let ledger = Ledger()
            ledger.name = name
            return ledger
        }
        realm.add(ledgers)
        ledgers[0].anything = .int(7)
        ledgers[0].scores["x"] = 3
        ledgers[0].scores["y"] = 5
        ledgers[0].pets["first"] = rex
        ledgers[0].pets["second"] = fia
        ledgers[0].tags.insert("red")
        ledgers[0].pack.insert(objectsIn: [rex, fia])
        ledgers[0].rank.value = 1
        ledgers[1].kind = .closed
        ledgers[1].formerKind = .open
        ledgers[1].balance = Cents(250)
        ledgers[1].limit = 12.5
        ledgers[1].anything = .fromDictionary([
            "size": .int(3), "tags": .fromArray([.string("a"), .string("b")]),
        ])
        ledgers[1].scores["x"] = 9
        ledgers[2].anything = .string("text")
        ledgers[2].rank.value = 2
    }
    return realm
}
