import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

/// A copy of a collection that is updated by its changes only equals the collection.
@Suite("Random histories of observed collections")
struct ObservationHistoryTests {
    @Test("Copies equal their originals after any history", arguments: TestScale.seeds(12))
    func histories(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let realm = try citizenRealm { realm in
            for number in 0..<12 { realm.add(Citizen("c\(number)", age: number)) }
            for number in 0..<6 { realm.add(Hound("h\(number)", age: number)) }
        }
        var copies = copies(of: realm)
        realm.refresh()
        for step in 0..<60 {
            let steps = (0..<Int.random(in: 1...3, using: &generator)).map { _ in generator.next() }
            if generator.happens(oneIn: 3) {
                try elsewhere(realm) { realm in
                    for step in steps { try change(realm, step) }
                }
            } else {
                for step in steps { try change(realm, step) }
            }
            guard !generator.happens(oneIn: 4) else { continue }
            realm.refresh()
            for copy in copies { copy.check() }
            if step == 30 { copies += self.copies(of: realm) }
        }
        for copy in copies { copy.end() }
    }

    // MARK: Copies

    private func copies(of realm: Realm) -> [ObservedCopy] {
        func copy<C: RealmCollection>(_ name: String, _ collection: C) -> ObservedCopy {
            ObservedCopy(name, of: collection, text: text)
        }
        let citizens = realm.objects(Citizen.self)
        var copies = [
            copy("all", citizens),
            copy("filtered", citizens.filter("age > 5")),
            copy("sorted", citizens.sorted(byKeyPath: "age", ascending: false)),
            copy("over a link", citizens.filter("spouse.age > 4").sorted(byKeyPath: "firstName")),
            copy("limited", citizens.filter("TRUEPREDICATE SORT(age ASC) LIMIT(4)")),
            copy("distinct", citizens.distinct(by: ["isMarried"])),
            copy("with hounds", citizens.filter("ANY hounds.age > 2")),
            copy("hounds", realm.objects(Hound.self).sorted(byKeyPath: "name")),
        ]
        for citizen in citizens.prefix(3) {
            copies += [
                copy("friends", citizen.friends), copy("homes", citizen.homes),
                copy("marks", citizen.marks), copy("sorted marks", citizen.marks.sorted()),
                copy("old friends", citizen.friends.filter("age > 5").sorted(byKeyPath: "age")),
            ]
        }
        for hound in realm.objects(Hound.self).prefix(2) {
            copies.append(copy("owners", hound.owners))
        }
        return copies
    }

    private func text(_ element: some RealmCollectionValue) -> String {
        switch element {
        case let citizen as Citizen:
            "\(citizen.firstName) \(citizen.age) \(citizen.isMarried) \(citizen.spouse?.age ?? -1)"
        case let hound as Hound: "\(hound.name) \(hound.age)"
        case let home as Home: home.city
        default: "\(element)"
        }
    }
}

/// Makes one of many changes.
private func change(_ realm: Realm, _ choice: UInt64) throws {
    try realm.write {
        let citizens = realm.objects(Citizen.self)
        let hounds = realm.objects(Hound.self)
        let number = Int(choice >> 8 & 0xFFFF)
        guard let first = citizens.first else { return realm.add(Citizen("n\(number)")) }
        let citizen = citizens[number % citizens.count]
        let other = citizens[number / 7 % citizens.count]
        switch choice % 20 {
        case 0: realm.add(Citizen("n\(number)", age: number % 10))
        case 1: if citizens.count > 6 { realm.delete(citizen) }
        case 2, 3: citizen.age = number % 11
        case 4: citizen.spouse = other
        case 5: citizen.isMarried.toggle()
        case 6: citizen.friends.append(other)
        case 7: if let last = citizen.friends.last { citizen.friends.insert(last, at: 0) }
        case 8:
            if citizen.friends.count > 1 { citizen.friends.swapAt(0, citizen.friends.count - 1) }
        case 9:
            if !citizen.friends.isEmpty {
                citizen.friends.remove(at: number % citizen.friends.count)
            }
        case 10: citizen.marks.append(number % 9)
        case 11: if !citizen.marks.isEmpty { citizen.marks[0] = number % 9 }
        case 12: first.marks.removeAll()
        case 13: citizen.homes.append(Home(value: ["city": "\(number)"]))
        case 14: if !citizen.homes.isEmpty { citizen.homes.remove(at: 0) }
        case 15: if let hound = hounds.first { citizen.hounds.append(hound) }
        case 16: if !citizen.hounds.isEmpty { citizen.hounds.removeLast() }
        case 17: hounds.last?.age = number % 9
        case 18: realm.add(Hound("n\(number)", age: 1), update: .modified)
        default: citizen.firstName = "m\(number)"
        }
    }
}
