import Firn
import Foundation
import Testing

@Suite("Conditions in code on maps, sets and custom types")
struct QueryOfOtherTypesTests {
    private let realm: Realm

    init() throws { realm = try ledgerRealm() }

    private func names(_ condition: (Query<Ledger>) -> Query<Bool>) -> [String] {
        realm.objects(Ledger.self).where(condition).map(\.name)
    }

    @Test("A condition compares enumerations and custom types")
    func custom() {
        #expect(names { $0.kind == .closed } == ["b"])
        #expect(names { $0.kind != .closed } == ["a", "c"])
        #expect(names { $0.kind.rawValue == "closed" } == ["b"])
        #expect(names { $0.kind.rawValue.starts(with: "op") } == ["a", "c"])
        #expect(names { $0.kind.in([.closed]) } == ["b"])
        #expect(names { $0.formerKind == .open } == ["b"])
        #expect(names { $0.formerKind == nil } == ["a", "c"])
        #expect(names { $0.formerKind.rawValue == "open" } == ["b"])
        #expect(names { $0.balance == Cents(250) } == ["b"])
        #expect(names { $0.balance > Cents(100) } == ["b"])
        #expect(names { $0.balance.persistableValue > 100 } == ["b"])
        #expect(names { $0.limit > 12 } == ["b"])
    }

    @Test("A condition tests the entries of maps")
    func maps() throws {
        let rex = try #require(realm.object(ofType: Hound.self, forPrimaryKey: "Rex"))
        #expect(names { $0.scores["x"] == 9 } == ["b"])
        #expect(names { $0.scores["x"] > 2 } == ["a", "b"])
        #expect(names { $0.scores["z"] == 1 } == [])
        #expect(names { $0.scores.keys == "y" } == ["a"])
        #expect(names { $0.scores.keys.starts(with: "x") } == ["a", "b"])
        #expect(names { $0.scores.values > 4 } == ["a", "b"])
        #expect(names { $0.scores.contains(5) } == ["a"])
        #expect(names { $0.scores.containsAny(in: [5, 9]) } == ["a", "b"])
        #expect(names { $0.scores.count == 2 } == ["a"])
        #expect(names { $0.scores.sum == 8 } == ["a"])
        #expect(names { $0.scores.max >= 9 } == ["b"])
        #expect(names { $0.scores.min == 3 } == ["a"])
        #expect(names { $0.scores.avg == 4 } == ["a"])
        #expect(names { $0.scores.contains(3...5) } == ["a"])
        #expect(names { $0.scores.contains(3..<5) } == [])
        #expect(names { $0.pets.name == "Rex" } == ["a"])
        #expect(names { $0.pets["first"] == rex } == ["a"])
        #expect(names { $0.pets["first"].age == 3 } == ["a"])
    }

    @Test("A condition tests the elements of sets")
    func sets() {
        #expect(names { $0.tags.contains("red") } == ["a"])
        #expect(names { $0.tags == "red" } == ["a"])
        #expect(names { $0.tags.count == 0 } == ["b", "c"])
        #expect(names { $0.pack.age > 5 } == ["a"])
        #expect(names { ($0.pack.age > 5 && $0.pack.name == "Fia").count == 1 } == ["a"])
    }

    @Test("A condition tests values of any type")
    func any() {
        #expect(names { $0.anything == .int(7) } == ["a"])
        #expect(names { $0.anything > .int(6) } == ["a"])
        #expect(names { $0.anything == .string("text") } == ["c"])
        #expect(names { $0.anything["size"] == .int(3) } == ["b"])
        #expect(names { $0.anything["tags"][1] == .string("b") } == ["b"])
        #expect(names { $0.anything["tags"].any == .string("a") } == ["b"])
    }

    @Test("A condition names boxed properties")
    func boxes() {
        #expect(names { $0.rank == 2 } == ["c"])
        #expect(
            realm.objects(Ledger.self).sorted(by: \.rank.value, ascending: false)[0].name == "c")
        #expect(realm.objects(Ledger.self).max(of: \.rank.value) == 2)
    }

    @Test("Custom types are sorted and aggregated")
    func others() throws {
        let all = realm.objects(Ledger.self)
        #expect(all.sorted(by: \.kind).first?.name == "b")
        #expect(all.max(of: \.kind) == .open)
        #expect(all.max(of: \.balance) == Cents(250))
        #expect(all.sum(of: \.limit) == 12.5)
        #expect(all.sectioned(by: \.kind).allKeys == [.closed, .open])
        let ledger = try #require(all.first)
        #expect(Array(ledger.tags.sorted()) == ["red"])
        #expect(ledger.pack.sorted(by: \.age).map(\.name) == ["Rex", "Fia"])
        #expect(ledger.pack.filter("age > 5").map(\.name) == ["Fia"])
        #expect(ledger.pack.sum(of: \.age) == 12)
    }

    @Test("The objects of a map are found, sorted and summed")
    func mapQueries() throws {
        let ledger = try #require(realm.objects(Ledger.self).first)
        #expect(ledger.pets.filter("age > %@", 5).map { $0?.name } == ["Fia"])
        #expect(ledger.pets.where { $0.age > 5 }.map { $0?.name } == ["Fia"])
        #expect(ledger.pets.sorted(by: \.age).map { $0?.name } == ["Rex", "Fia"])
        #expect(ledger.pets.sorted(byKeyPath: "age", ascending: false).first??.name == "Fia")
        #expect(ledger.pets.max(of: \.age) == 9)
        #expect(ledger.pets.sum(ofProperty: "age") as Int == 12)
        #expect(ledger.pets.contains { $0 == "first" && $1?.name == "Rex" })
        #expect(Array(ledger.scores.sorted(ascending: false)) == [5, 3])
        #expect(ledger.scores.max() == 5)
        #expect(ledger.scores.sum() == 8)
        #expect(ledger.scores.average() as Double? == 4)
    }

    @Test("A projection shows sets, and can set custom types")
    func projections() throws {
        let ledger = try #require(realm.objects(Ledger.self).first)
        let projection = LedgerProjection(projecting: ledger)
        #expect(projection.packNames.sorted() == ["Fia", "Rex"])
        try realm.write { projection.kind = .closed }
        #expect(ledger.kind == .closed)
    }
}
