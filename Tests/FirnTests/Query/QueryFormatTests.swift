import Firn
import Foundation
import Testing

@Suite("The text of a condition in code")
struct QueryFormatTests {
    @Test("The predicate string finds the same objects as the condition")
    func citizens() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann", "Berg", age: 30)
            ann.weight = 60.5
            ann.born = Date(timeIntervalSince1970: 1000)
            ann.isMarried = true
            ann.home = Home(value: ["city": "Oslo"])
            let bob = Citizen("Bob", "Åberg", age: 20)
            let cid = Citizen("Cid", "Cid", age: 40)
            cid.weight = 80
            let rex = Hound("Rex", age: 3, weight: 2.5)
            let fia = Hound("Fia", age: 9)
            ann.hounds.append(objectsIn: [rex, fia])
            cid.hounds.append(fia)
            ann.marks.append(objectsIn: [3, 5, 7])
            cid.marks.append(objectsIn: [1, 9])
            ann.temperatures.append(objectsIn: [1.5, nil])
            realm.add([ann, bob, cid])
            cid.spouse = ann
        }
        let ann = try #require(realm.objects(Citizen.self).first)
        let conditions: [(Query<Citizen>) -> Query<Bool>] = [
            { $0.age == 30 }, { $0.age != 30 }, { $0.weight == nil }, { $0.weight > 70 },
            { $0.age.in([20, 40]) }, { $0.age.in([]) }, { $0.weight.in([nil, 80]) },
            { $0.age.contains(20...30) }, { $0.age.contains(20..<30) },
            { $0.firstName.starts(with: "a", options: .caseInsensitive) },
            { $0.lastName.contains("åBERG", options: [.caseInsensitive, .diacriticInsensitive]) },
            { $0.firstName.like("?i*") }, { $0.firstName == $0.lastName }, { $0.isMarried },
            { !$0.isMarried && $0.age > 20 || $0.firstName == "Bob" },
            { !($0.age > 20 || $0.firstName == "Ann") }, { $0.home.city == "Oslo" },
            { $0.spouse == ann }, { $0.spouse.age == 30 }, { $0.hounds.age > 5 },
            { $0.hounds.count > 1 }, { $0.hounds.age.sum > 10 }, { $0.hounds.age.avg == 9 },
            { $0.hounds.weight == 2.5 }, { $0.marks.contains(5) },
            { $0.marks.containsAny(in: [1, 2]) }, { $0.marks.max > 7 },
            { $0.hounds.age.contains(4..<9) }, { $0.hounds.age.contains(4..<10) },
            { $0.marks.contains(1..<10) }, { $0.marks > 8 },
            { ($0.hounds.age > 2 && $0.hounds.name == "Rex").count == 1 },
            { $0.born > Date(timeIntervalSince1970: 0) }, { $0.temperatures == nil },
        ]
        let all = realm.objects(Citizen.self)
        for (number, condition) in conditions.enumerated() {
            let (text, arguments) = condition(Query._constructForTesting())._constructPredicate()
            let wanted = all.where(condition).map(\.firstName)
            #expect(
                all.filter(text, arguments: arguments).map(\.firstName) == wanted,
                "\(number): \(text) \(arguments)")
        }
    }

    @Test("The predicate string finds the same objects for values and keys of all kinds")
    func ledgers() throws {
        let realm = try ledgerRealm()
        let conditions: [(Query<Ledger>) -> Query<Bool>] = [
            { $0.kind == .closed }, { $0.formerKind == nil }, { $0.kind.rawValue == "open" },
            { $0.balance == Cents(250) }, { $0.balance.persistableValue > 3 }, { $0.limit == 12.5 },
            { $0.anything == .int(7) }, { $0.anything["size"] == .int(3) },
            { $0.anything["tags"][1] == .string("b") }, { $0.anything.any == .int(3) },
            { $0.scores["x"] == 3 }, { $0.scores["'\"]"] == 3 }, { $0.scores.keys == "y" },
            { $0.scores.values > 8 }, { $0.scores.count == 2 }, { $0.pets["first"].name == "Rex" },
            { $0.pets.age > 8 }, { $0.tags.contains("red") }, { $0.pack.name == "Fia" },
            { $0.rank == 2 }, { $0.rank == nil }, { $0.code == ObjectId() },
        ]
        let all = realm.objects(Ledger.self)
        for (number, condition) in conditions.enumerated() {
            let (text, arguments) = condition(Query._constructForTesting())._constructPredicate()
            let wanted = all.where(condition).map(\.name)
            #expect(
                all.filter(text, arguments: arguments).map(\.name) == wanted,
                "\(number): \(text) \(arguments)")
        }
    }

    @Test("The predicate string looks hand-written")
    func texts() {
        func text(_ condition: (Query<Citizen>) -> Query<Bool>) -> String {
            condition(Query._constructForTesting())._constructPredicate().0
        }
        #expect(text { $0.age > 30 && $0.firstName == "Ann" } == "(age > %@ AND firstName == %@)")
        #expect(text { !$0.isMarried } == "NOT (isMarried)")
        #expect(
            text { $0.firstName.contains("x", options: .caseInsensitive) }
                == "firstName CONTAINS[c] %@")
        #expect(
            text { ($0.hounds.age > 2 && $0.hounds.name == "Rex").count > 0 }
                == "SUBQUERY(hounds, $element, ($element.age > %@ AND $element.name == %@)).@count > %@"
        )
    }
}
