// Predicate formats of programs written for Realm stopped the program: the placeholders of `printf`
// (`%d`, `%lld`, `%f` and so on), and as arguments an NSNumber, a Map, an unmanaged object and an
// object inside another value. `NSPredicate` accepts all of them. Realm compares a link with an
// unmanaged or deleted object as with an object without links to it.

import Firn
import Foundation
import Testing

private class BankAccount: Object {
    @Persisted var number = 0
    @Persisted var balance = 0.0
    @Persisted var name = ""
    @Persisted var bytes = Data()
    @Persisted var holder: BankAccount?
    @Persisted var friends: List<BankAccount>
    @Persisted var value: AnyRealmValue
}

@Suite("Arguments of predicates")
struct PredicateArgumentTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [BankAccount.self]))
        let realm = realm
        try realm.write {
            for number in 0..<5 {
                let account = realm.create(
                    BankAccount.self,
                    value: [
                        "number": number, "balance": Double(number) / 2, "name": "n\(number)%d",
                        "bytes": Data([UInt8(number), 7]),
                    ])
                account.holder = number > 0 ? realm.objects(BankAccount.self).first : nil
                account.friends.append(account)
                account.value = .object(account)
            }
        }
    }

    private func numbers(_ format: String, _ arguments: Any...) -> [Int] {
        realm.objects(BankAccount.self).filter(format, arguments: arguments).map(\.number)
    }

    @Test(
        "A printf placeholder for integers takes an argument",
        arguments: [
            "%d", "%i", "%u", "%D", "%U", "%ld", "%li", "%lu", "%lld", "%lli", "%llu", "%hd",
            "%hhd",
            "%zd", "%qd", "%x", "%X", "%o", "%lx",
        ])
    func integers(placeholder: String) {
        #expect(numbers("number == \(placeholder)", 3) == [3])
        #expect(numbers("number IN {\(placeholder), \(placeholder)}", 1, 2) == [1, 2])
        #expect(numbers("number BETWEEN {\(placeholder),\(placeholder)}", 1, 3) == [1, 2, 3])
    }

    @Test(
        "A printf placeholder for fractions takes an argument",
        arguments: ["%f", "%lf", "%g", "%e", "%F", "%G", "%E", "%Lf", "%a"])
    func fractions(placeholder: String) {
        #expect(numbers("balance >= \(placeholder) AND number < %d", 1.5, 4) == [3])
    }

    @Test("printf placeholders can be mixed with others, and are literal inside a string")
    func mixed() {
        #expect(numbers("%K == %d OR name == %@", "number", 1, "n2%d") == [1, 2])
        #expect(numbers("name == 'n3%d'") == [3])
        #expect(numbers("name ENDSWITH \"%d\" AND number == %d", 4) == [4])
        #expect(numbers("name == \"a\\\"%d\" OR number == %i", 4) == [4])
        #expect(numbers("number==%d", 4) == [4])
    }

    @Test("NSNumber, NSString, NSDate and NSNull can be arguments")
    func foundation() {
        #expect(numbers("number == %@", NSNumber(value: 3)) == [3])
        #expect(numbers("balance == %@", NSNumber(value: 1.5)) == [3])
        #expect(numbers("number IN %@", [NSNumber(value: 1), NSNumber(value: 2)]) == [1, 2])
        #expect(numbers("number IN %@", NSArray(array: [1, 2])) == [1, 2])
        #expect(numbers("number == %@", NSDecimalNumber(string: "4")) == [4])
        #expect(numbers("number == %@", UInt8(4)) == [4])
        #expect(numbers("number == %@", UInt(4)) == [4])
        #expect(numbers("number == %@", UInt64(4)) == [4])
        #expect(numbers("name == %@", NSString(string: "n2%d")) == [2])
        #expect(numbers("bytes == %@", NSData(data: Data([2, 7]))) == [2])
        #expect(numbers("holder == %@", NSNull()) == [0])
    }

    @Test("A map can be an argument, whose values are searched for")
    func maps() {
        let map = Map<String, Int>()
        map["a"] = 1
        map["b"] = 4
        #expect(numbers("number IN %@", map) == [1, 4])
        let list = List<Int>()
        list.append(2)
        #expect(numbers("number IN %@", list) == [2])
        #expect(numbers("number IN %@", Set([2])) == [2])
        #expect(numbers("number IN %@", ["a": 3]) == [3])
    }

    @Test("An object can be an argument, alone or inside other values")
    func links() throws {
        let all = realm.objects(BankAccount.self)
        let first = all[0]
        #expect(numbers("holder == %@", first) == [1, 2, 3, 4])
        #expect(numbers("holder IN %@", [first]) == [1, 2, 3, 4])
        #expect(numbers("holder IN %@", all.filter("number == 0")) == [1, 2, 3, 4])
        #expect(numbers("holder == %@", AnyRealmValue.object(first)) == [1, 2, 3, 4])
        #expect(numbers("holder == %@", AnyRealmValue.object(first.freeze())) == [1, 2, 3, 4])
        #expect(numbers("holder == %@", first.freeze()) == [1, 2, 3, 4])
        #expect(numbers("ANY friends == %@", all[2]) == [2])
        #expect(numbers("ANY friends IN %@", first.friends) == [0])
        #expect(numbers("value == %@", all[3]) == [3])
        #expect(all.where { $0.holder == first }.count == 4)
        #expect(all.where { $0.friends.contains(first) }.count == 1)
    }

    @Test("An unmanaged or deleted object can be an argument, and matches no link")
    func unmanaged() throws {
        let none = BankAccount()
        let gone = BankAccount()
        try realm.write { realm.add(gone) }
        try realm.write { realm.delete(gone) }
        for object in [none, gone] {
            #expect(numbers("holder == %@", object) == [])
            #expect(numbers("holder != %@", object) == [0, 1, 2, 3, 4])
            #expect(numbers("holder IN %@", [object]) == [])
            #expect(numbers("ANY friends == %@", object) == [])
            #expect(numbers("value == %@", object) == [])
            #expect(realm.objects(BankAccount.self).where { $0.holder == object }.count == 0)
            #expect(realm.objects(BankAccount.self).where { $0.holder != object }.count == 5)
            #expect(
                realm.objects(BankAccount.self).where { $0.friends.contains(object) }.count == 0)
        }
    }

    @Test("Bytes can be arguments of BEGINSWITH, CONTAINS and ENDSWITH")
    func bytes() {
        let all = realm.objects(BankAccount.self)
        #expect(all.where { $0.bytes.starts(with: Data([3])) }.map(\.number) == [3])
        #expect(all.where { $0.bytes.ends(with: Data([7])) }.count == 5)
        #expect(all.where { $0.bytes.contains(Data([2, 7])) }.map(\.number) == [2])
        #expect(numbers("bytes BEGINSWITH %@", Data([3])) == [3])
        #expect(all.where { $0.bytes.equals(Data([1, 7])) }.map(\.number) == [1])
    }

    @Test("An object of another realm stops the program, as in Realm")
    func foreign() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (one, other) = (try PredicateArgumentTests(), try PredicateArgumentTests())
            _ = one.numbers("holder == %@", other.realm.objects(BankAccount.self)[0])
        }.says("an argument of a query is an object of another realm")
    }
}
