// Each declaration of maps and sections, used with the types that are printed in the documentation
// of the reference. Most of these tests fail by not compiling.

import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

private actor Watcher {
    func count(_ configuration: Realm.Configuration) async throws -> Int {
        let realm = try await Realm(configuration: configuration, actor: self)
        let ledger = try #require(realm.objects(Ledger.self).first)
        typealias Change = RealmMapChange<Map<String, Hound?>>
        let map = ledger.pets
        let sections = realm.objects(Hound.self).sectioned(by: \.name)
        typealias Sections = SectionedResults<String, Hound>
        let tokens: [NotificationToken] = [
            await map.observe(keyPaths: ["age"], on: self) { (_: isolated Watcher, _: Change) in },
            await map.observe(keyPaths: [\Hound.age], on: self) {
                (_: isolated Watcher, _: Change) in
            },
            await sections.observe(keyPaths: ["age"], on: self) {
                (_: isolated Watcher, _: SectionedResultsChange<Sections>) in
            },
            await sections.observe(keyPaths: [\Hound.age], on: self) {
                (_: isolated Watcher, _: SectionedResultsChange<Sections>) in
            },
        ]
        return tokens.filter { $0.invalidate() }.count
    }
}

@Suite("Declarations of maps and sections")
struct MapDeclarationTests {
    @Test("A map has the members of the Realm API")
    func members() throws {
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let realm = try #require(ledger.realm)
        let scores: Map<String, Int> = ledger.scores
        #expect(scores.realm == realm && !scores.isInvalidated && !scores.isFrozen)
        let (keys, values): ([String], [Int]) = (scores.keys, scores.values)
        #expect(Set(keys) == ["x", "y"] && Set(values) == [3, 5] && scores.count == 2)
        try realm.write {
            scores["z"] = 7
            scores["x"] = nil
            scores.updateValue(8, forKey: "y")
            scores.merge([("y", 1), ("w", 2)], uniquingKeysWith: { $0 + $1 })
            scores.setValue(6, forKey: "v")
            scores.removeObject(for: "z")
        }
        #expect(scores["y"] == 9 && scores["w"] == 2 && scores["z"] == nil && scores["x"] == nil)
        #expect(scores.object(forKey: "v") as? Int == 6)
        #expect(scores.value(forKey: "v") as? Int == 6)
        #expect(scores.contains { key, value in key == "w" && value == 2 })
        var pairs: [String: Int] = [:]
        for entry: (key: String, value: Int) in scores { pairs[entry.key] = entry.value }
        #expect(pairs == ["y": 9, "w": 2, "v": 6])
        let average: Double? = scores.average()
        #expect(scores.min() == 2 && scores.max() == 9 && scores.sum() == 17)
        #expect(average.map { $0 > 5 && $0 < 6 } == true)
        #expect(Array(scores.sorted(ascending: false)) == [9, 6, 2])
        let data = try JSONEncoder().encode(scores)
        let decoded = try JSONDecoder().decode(Map<String, Int>.self, from: data)
        #expect(Dictionary(uniqueKeysWithValues: decoded.map { ($0.key, $0.value) }) == pairs)
        #expect(scores.description.hasPrefix("Map<string, int> (\n\t["))
        #expect(scores.description.contains("]: 9"))
        let pets = Map<String, Hound?>()
        pets["one"] = Hound("Bo", age: 2)
        let shown = pets.description
        #expect(shown.hasPrefix("Map<string, Hound> (\n\t[one]: Hound {\n\t\tname = Bo;\n"))
        let frozen: Map<String, Int> = scores.freeze()
        #expect(frozen.isFrozen && frozen.thaw()?.count == 3)
        try realm.write { scores.removeAll() }
        #expect(scores.count == 0)
    }

    @Test("A map of objects is queried, sorted and aggregated by its values")
    func objects() throws {
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let pets: Map<String, Hound?> = ledger.pets
        let results: [Results<Hound?>] = [
            pets.filter("age > 0"), pets.where { $0.age > 0 },
            pets.sorted(byKeyPath: "age", ascending: true), pets.sorted(by: \Hound.age),
            pets.sorted(by: [SortDescriptor(keyPath: "age")]),
        ]
        #expect(results.allSatisfy { Set($0.compactMap { $0?.name }) == ["Rex", "Fia"] })
        let least: Int? = pets.min(ofProperty: "age")
        let greatest: Int? = pets.max(ofProperty: "age")
        let sum: Int = pets.sum(ofProperty: "age")
        let average: Double? = pets.average(ofProperty: "age")
        #expect(least == 3 && greatest == 9 && sum == 12 && average == 6)
        #expect(pets.min(of: \Hound.age) == 3 && pets.max(of: \Hound.age) == 9)
        #expect(pets.sum(of: \Hound.age) == 12 && pets.average(of: \Hound.age) == 6)
    }

    @Test("Changes to a map name the keys")
    func changes() throws {
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let realm = try #require(ledger.realm)
        let news = Guarded<[String]>([])
        let token = ledger.scores.observe(keyPaths: nil, on: nil) {
            (change: RealmMapChange<Map<String, Int>>) in
            switch change {
            case .initial(let map): news.withLock { $0.append("\(map.count)") }
            case .update(_, let deletions, let insertions, let modifications):
                news.withLock { $0.append("\(deletions) \(insertions) \(modifications)") }
            case .error(let error): Issue.record(error)
            }
        }
        realm.refresh()
        try realm.write {
            ledger.scores["x"] = nil
            ledger.scores["y"] = 1
            ledger.scores["z"] = 1
        }
        realm.refresh()
        #expect(news.withLock { $0 } == ["2", "[\"x\"] [\"z\"] [\"y\"]"])
        token.invalidate()
    }

    @Test("An actor observes maps and sections, with properties named by strings or key paths")
    func actors() async throws {
        let test = TestRealm([Ledger.self, Hound.self, Citizen.self])
        do {
            let realm = try test.open()
            try realm.write { realm.add(Ledger()) }
        }
        #expect(try await Watcher().count(test.configuration) == 4)
    }

    @Test("Sections can be made in all forms, and have keys and elements")
    func sections() throws {
        let realm = try citizenRealm {
            $0.add([Hound("Rex", age: 3), Hound("Fia", age: 3), Hound("Bo")])
        }
        let all = realm.objects(Hound.self)
        let sections: SectionedResults<Int, Hound> = all.sectioned(by: \.age, ascending: false)
        let forms = [
            sections,
            all.sectioned(
                by: \.age, sortDescriptors: [.init(keyPath: \Hound.age, ascending: false)]),
            all.sectioned(
                by: { $0.age }, sortDescriptors: [.init(keyPath: "age", ascending: false)]),
            all.sectioned(sortDescriptors: [.init(keyPath: "age", ascending: false)], { $0.age }),
        ]
        for form in forms { #expect(form.allKeys == [3, 0]) }
        #expect(all.distinct(by: ["age"]).map(\.age).count == 2)
        let section: ResultsSection<Int, Hound> = sections[0]
        #expect(section.key == 3 && section.id == 3 && section.count == 2)
        #expect(section == sections[0] && sections == sections)
        #expect(section[0].age == 3 && sections[IndexPath(indexes: [1, 0])].name == "Bo")
        #expect(sections.count == 2 && sections.startIndex == 0 && sections.endIndex == 2)
        #expect(sections.realm == realm && !sections.isInvalidated)
        #expect(sections.freeze().isFrozen && section.freeze().isFrozen)
        #expect(sections.freeze().thaw()?.count == 2 && section.freeze().thaw()?.count == 2)
        #expect(section.realm == realm && sections.map { $0.map(\.age) } == [[3, 3], [0]])
    }

    @Test("Changes to sections are index paths and sets of sections")
    func sectionChanges() throws {
        let realm = try citizenRealm { $0.add([Hound("Rex", age: 3), Hound("Bo")]) }
        let sections = realm.objects(Hound.self).sectioned(by: \.age)
        let news = Guarded<[String]>([])
        typealias Change = SectionedResultsChange<SectionedResults<Int, Hound>>
        let token = sections.observe(keyPaths: ["age"], on: nil) { (change: Change) in
            switch change {
            case .initial(let found): news.withLock { $0.append("\(found.count)") }
            case .update(
                _, let deletions, let insertions, let modifications, let sectionsToInsert,
                let sectionsToDelete):
                let paths: [[IndexPath]] = [deletions, insertions, modifications]
                let sets: [IndexSet] = [sectionsToInsert, sectionsToDelete]
                news.withLock { $0.append("\(paths.map(\.count)) \(sets.map { Array($0) })") }
            }
        }
        let second = sections[0].observe {
            (_: SectionedResultsChange<ResultsSection<Int, Hound>>) in
        }
        let third = sections.observe(keyPaths: [\Hound.age]) { (_: Change) in }
        realm.refresh()
        try realm.write {
            realm.delete(realm.objects(Hound.self).where { $0.age == 0 })
            realm.add(Hound("Kim", age: 9))
        }
        realm.refresh()
        #expect(news.withLock { $0 } == ["2", "[1, 1, 0] [[1], [0]]"])
        #expect([token, second, third].allSatisfy { $0.invalidate() })
    }
}
