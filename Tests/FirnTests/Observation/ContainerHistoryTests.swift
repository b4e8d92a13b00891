import Firn
import FirnTesting
import Foundation
import Testing

final class Tote: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var level = 0
    @Persisted var numbers: MutableSet<Int>
    @Persisted var crates: MutableSet<Tote>
    @Persisted var counts: Map<String, Int>
    @Persisted var places: Map<String, Tote?>
}

/// Copies of sets, maps and sections that are updated by their changes only equal the originals.
@Suite("Random histories of observed sets, maps and sections")
struct ContainerHistoryTests {
    @Test("Copies equal their originals after any history", arguments: TestScale.seeds(12))
    func histories(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed &+ 11)
        let realm = try makeRealm([Tote.self])
        try realm.write { for id in 0..<6 { realm.create(Tote.self, value: ["id": id]) } }
        var copies = copies(of: realm)
        realm.refresh()
        for copy in copies { copy.check() }
        for step in 0..<60 {
            let steps = (0..<Int.random(in: 1...3, using: &generator)).map { _ in generator.next() }
            if generator.happens(oneIn: 3) {
                try elsewhere(realm) { realm in
                    for step in steps { try changeCrates(realm, step) }
                }
            } else {
                for step in steps { try changeCrates(realm, step) }
            }
            realm.refresh()
            for copy in copies { copy.check() }
            if step == 30 {
                copies += self.copies(of: realm)
                realm.refresh()
                for copy in copies { copy.check() }
            }
        }
        for copy in copies { copy.end() }
    }

    private func copies(of realm: Realm) -> [ObservedCopy] {
        func text(_ crate: Tote) -> String { "\(crate.id) on \(crate.level)" }
        let crates = realm.objects(Tote.self)
        var copies = [
            ObservedCopy(
                "sections", of: crates.sectioned(by: \.level, ascending: true), text: text),
            ObservedCopy(
                "sections of some",
                of: crates.filter("level > 0").sectioned(by: \.level, ascending: false),
                text: text),
        ]
        for crate in crates.prefix(3) {
            copies += [
                ObservedCopy("numbers", of: crate.numbers) { "\($0)" },
                ObservedCopy("sorted numbers", of: crate.numbers.sorted(ascending: false)) {
                    "\($0)"
                },
                ObservedCopy("crates", of: crate.crates, text: text),
                ObservedCopy(
                    "sorted crates", of: crate.crates.sorted(byKeyPath: "level"), text: text),
                ObservedCopy("counts", of: crate.counts) { "\($0)" },
                ObservedCopy("places", of: crate.places) { $0.map(text) ?? "nowhere" },
            ]
        }
        return copies
    }
}

/// Makes one of many changes.
private func changeCrates(_ realm: Realm, _ choice: UInt64) throws {
    try realm.write {
        let crates = realm.objects(Tote.self)
        let number = Int(choice >> 8 & 0xFFFF)
        let crate = crates[number % crates.count]
        let other = crates[number / 7 % crates.count]
        let key = "k\(number % 5)"
        switch choice % 12 {
        case 0: realm.create(Tote.self, value: ["id": number], update: .modified)
        case 1: if crates.count > 4 { realm.delete(crate) }
        case 2, 3: crate.level = number % 4
        case 4, 5: crate.numbers.insert(number % 9)
        case 6: crate.numbers.remove(number % 9)
        case 7: crate.crates.insert(other)
        case 8: crate.crates.remove(other)
        case 9: crate.counts[key] = number % 3 == 0 ? nil : number % 7
        case 10: crate.places[key] = number % 4 == 0 ? .some(nil) : other
        default: if number % 3 == 0 { crate.places.removeAll() } else { crate.counts[key] = 1 }
        }
    }
}
