import Firn
import Foundation
import Testing

@Suite("Observation of lists, sets, maps and sections")
struct CollectionObservingTests {
    @Test("A list reports its operations one by one")
    func lists() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.friends.append(objectsIn: ["a", "b", "c", "d"].map { Citizen($0) })
            ann.marks.append(objectsIn: [1, 2, 3, 4])
        }
        let ann = realm.objects(Citizen.self).filter("firstName == 'Ann'")[0]
        let (friends, marks) = (Told(), Told())
        let tokens = [
            ann.friends.observe { friends.add($0) }, ann.marks.observe { marks.add($0) },
        ]
        func news() -> [String] {
            realm.refresh()
            return [friends, marks].map { $0.news.joined(separator: ";") }
        }
        func both(_ line: String) -> [String] { [line, line] }
        #expect(news() == both("initial 4"))
        try realm.write {
            ann.friends.swapAt(0, 3)
            ann.marks.swapAt(0, 3)
        }
        #expect(news() == both("-[0, 3] +[0, 3] ~[]"))
        try realm.write {
            ann.friends[1] = ann.friends[1]
            ann.marks[1] = 2
        }
        #expect(news() == both("-[] +[] ~[1]"))
        try realm.write {
            let friend = ann.friends[2]
            ann.friends.remove(at: 2)
            ann.friends.insert(friend, at: 2)
            ann.marks.remove(at: 2)
            ann.marks.insert(3, at: 2)
        }
        #expect(news() == both("-[2] +[2] ~[]"))
        try realm.write { ann.friends[0].age = 5 }
        #expect(news() == ["-[] +[] ~[0]", ""])
        try realm.write {
            ann.friends.removeAll()
            ann.marks.removeAll()
        }
        #expect(news() == both("-[0, 1, 2, 3] +[] ~[]"))
        withExtendedLifetime(tokens) {}
    }

    @Test("Deleting the owner deletes all elements and ends the observation")
    func owner() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.marks.append(objectsIn: [1, 2])
            ann.friends.append(Citizen("Bo"))
        }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        func note<C: Collection>(_ name: String) -> (RealmCollectionChange<C>) -> Void
        where C: ThreadConfined {
            { change in
                if case .update(let collection, let deletions, _, _) = change {
                    told.add("\(name) \(deletions) \(collection.isInvalidated)")
                }
            }
        }
        let tokens = [
            ann.marks.observe(note("marks")), ann.friends.observe(note("friends")),
            ann.reviews.observe(note("reviews")),
            ann.friends.sorted(byKeyPath: "age").observe(note("sorted")),
            ann.marks.sorted().observe(note("values")),
        ]
        realm.refresh()
        try realm.write { realm.delete(ann) }
        realm.refresh()
        #expect(
            told.news.sorted() == [
                "friends [0] true", "marks [0, 1] true", "sorted [0] true", "values [0, 1] true",
            ])
        try realm.write { realm.add(Citizen("Cy")) }
        realm.refresh()
        #expect(told.news.isEmpty)
        withExtendedLifetime(tokens) {}
    }

    @Test("Sets and maps report their elements and keys")
    func setsAndMaps() throws {
        let realm = try ledgerRealm()
        let ledger = realm.objects(Ledger.self)[0]
        let (tags, pack, scores, pets) = (Told(), Told(), Told(), Told())
        let tokens = [
            ledger.tags.observe { tags.add($0) }, ledger.pack.observe { pack.add($0) },
            ledger.scores.observe { scores.add($0.line) },
            ledger.pets.observe(keyPaths: [\.age]) { pets.add($0.line) },
        ]
        func news() -> [String] {
            realm.refresh()
            return [tags, pack, scores, pets].map { $0.news.joined(separator: ";") }
        }
        #expect(news() == ["initial 1", "initial 2", "initial 2", "initial 2"])
        try realm.write {
            ledger.tags.insert("blue")
            ledger.scores["a"] = 1
            ledger.scores["x"] = 3
            ledger.scores["y"] = nil
        }
        let place = try #require(ledger.tags.index(of: "blue"))
        #expect(news() == ["-[] +[\(place)] ~[]", "", "-[\"y\"] +[\"a\"] ~[\"x\"]", ""])
        let rex = try #require(realm.object(ofType: Hound.self, forPrimaryKey: "Rex"))
        try realm.write { rex.age = 4 }
        let position = try #require(ledger.pack.index(of: rex))
        #expect(news() == ["", "-[] +[] ~[\(position)]", "", "-[] +[] ~[\"first\"]"])
        try realm.write { rex.weight = 4 }
        #expect(news() == ["", "-[] +[] ~[\(position)]", "", ""])
        try realm.write { realm.delete(rex) }
        #expect(news() == ["", "-[\(position)] +[] ~[]", "", "-[] +[] ~[\"first\"]"])
        withExtendedLifetime(tokens) {}
    }

    @Test("Changes to lists and dictionaries inside values are found by comparison")
    func nested() throws {
        let realm = try ledgerRealm()
        let ledger = realm.objects(Ledger.self)[1]
        let whole = try #require(ledger.anything.dictionaryValue)
        let inner = try #require(whole["tags"]?.listValue)
        let (entries, elements) = (Told(), Told())
        let tokens = [
            whole.observe { entries.add($0.line) }, inner.observe { elements.add($0) },
        ]
        realm.refresh()
        #expect(entries.news == ["initial 2"])
        #expect(elements.news == ["initial 2"])
        try realm.write { inner.append(.string("c")) }
        realm.refresh()
        #expect(entries.news == ["-[] +[] ~[\"tags\"]"])
        #expect(elements.news == ["-[] +[2] ~[]"])
        // A replaced element was once told as deleted and inserted.
        try realm.write { inner[1] = .string("z") }
        realm.refresh()
        #expect(elements.news == ["-[] +[] ~[1]"])
        #expect(entries.news == ["-[] +[] ~[\"tags\"]"])
        try realm.write { whole["size"] = nil }
        realm.refresh()
        #expect(entries.news == ["-[\"size\"] +[] ~[]"])
        #expect(elements.news.isEmpty)
        withExtendedLifetime(tokens) {}
    }

    @Test("Sections report insertions and deletions by section, and one section only its own")
    func sections() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write {
            for (id, name) in [(1, "a1"), (2, "a2"), (3, "b1")] {
                realm.add(Toy(id: id, name: name))
            }
        }
        let toys = realm.objects(Toy.self)
        let sections = toys.sectioned(
            by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
        let (all, b) = (Told(), Told())
        let tokens = [
            sections.observe { all.add($0.line) }, sections[1].observe { b.add($0.line) },
        ]
        func news() -> [String] {
            realm.refresh()
            return [all, b].map { $0.news.joined(separator: ";") }
        }
        #expect(news() == ["initial", "initial"])
        try realm.write { realm.add(Toy(id: 4, name: "a15")) }
        #expect(news() == ["-[] +[0.1] ~[] sections -[] +[]", ""])
        try realm.write { realm.add(Toy(id: 5, name: "b0")) }
        #expect(
            news() == Array(repeating: "-[] +[1.0] ~[] sections -[] +[]", count: 2))
        try realm.write { realm.add(Toy(id: 6, name: "0")) }
        #expect(news() == ["-[] +[0.0] ~[] sections -[] +[0]", ""])
        try realm.write { realm.object(ofType: Toy.self, forPrimaryKey: 3)?.name = "c" }
        #expect(
            news() == [
                "-[2.1] +[3.0] ~[] sections -[] +[3]", "-[2.1] +[] ~[] sections -[] +[]",
            ])
        try realm.write { realm.object(ofType: Toy.self, forPrimaryKey: 5)?.name = "b00" }
        #expect(
            news() == Array(repeating: "-[] +[] ~[2.0] sections -[] +[]", count: 2))
        try realm.write { realm.delete(toys.filter("name BEGINSWITH 'b'")) }
        #expect(
            news() == Array(repeating: "-[2.0] +[] ~[] sections -[2] +[]", count: 2))
        try realm.write { realm.add(Toy(id: 7, name: "b")) }
        #expect(
            news() == Array(repeating: "-[] +[2.0] ~[] sections -[] +[2]", count: 2))
        withExtendedLifetime(tokens) {}
    }

    @Test("After invalidate(), blocks receive new changes with valid collections")
    func invalidate() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.marks.append(1)
        }
        let told = Told()
        var tokens: [NotificationToken] = []
        do {
            let ann = realm.objects(Citizen.self)[0]
            tokens.append(realm.objects(Citizen.self).observe { told.add("all \($0.line)") })
            tokens.append(
                ann.marks.observe { change in
                    told.add("marks \(change.line)")
                    if case .update(let marks, _, _, _) = change { #expect(marks.last == 2) }
                })
            tokens.append(ann.observe { told.add("object \($0.line)") })
        }
        realm.refresh()
        _ = told.news
        realm.invalidate()
        try elsewhere(realm) { realm in
            try realm.write {
                realm.objects(Citizen.self)[0].marks.append(2)
                realm.objects(Citizen.self)[0].age = 3
            }
        }
        realm.refresh()
        #expect(
            told.news == [
                "all -[] +[] ~[0]", "marks -[] +[1] ~[]",
                "object age: 0 -> 3, marks: nil -> List<Int> (\n\t[0] 1,\n\t[1] 2\n)",
            ])
        withExtendedLifetime(tokens) {}
    }
}
