import Firn
import Foundation
import Testing

@Suite("Observation of results")
struct ResultsObservingTests {
    @Test("The block receives the initial state, and then the change of each commit")
    func updates() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write { for id in [1, 2, 3] { realm.add(Toy(id: id)) } }
        let told = Told()
        let token = realm.objects(Toy.self).observe { told.add($0) }
        #expect(told.news.isEmpty)
        realm.refresh()
        #expect(told.news == ["initial 3"])
        realm.refresh()
        #expect(told.news.isEmpty)
        try realm.write {
            realm.add(Toy(id: 4))
            realm.objects(Toy.self)[1].name = "b"
        }
        #expect(told.news.isEmpty)
        realm.refresh()
        #expect(told.news == ["-[] +[3] ~[1]"])
        try realm.write { realm.delete(realm.objects(Toy.self)[0]) }
        realm.refresh()
        #expect(told.news == ["-[0] +[] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test("Commits of several threads arrive as one change")
    func coalescing() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write { for id in [1, 2, 3] { realm.add(Toy(id: id)) } }
        let told = Told()
        let token = realm.objects(Toy.self).observe { told.add($0) }
        realm.refresh()
        _ = told.news
        try elsewhere(realm) { realm in
            try realm.write { realm.add(Toy(id: 4)) }
            try realm.write { realm.objects(Toy.self).last?.name = "new" }
            try realm.write { realm.objects(Toy.self).first?.name = "first" }
            try realm.write { realm.add(Toy(id: 5)) }
            try realm.write { realm.delete(realm.objects(Toy.self)[3]) }
        }
        #expect(told.news.isEmpty)
        #expect(realm.refresh())
        #expect(told.news == ["-[] +[3] ~[0]"])
        withExtendedLifetime(token) {}
    }

    @Test("Starting a write transaction delivers changes before its block runs")
    func beforeWriting() throws {
        let realm = try makeRealm([Toy.self])
        let told = Told()
        let token = realm.objects(Toy.self).observe { told.add($0) }
        try realm.write { #expect(told.news == ["initial 0"]) }
        try elsewhere(realm) { realm in try realm.write { realm.add(Toy(id: 1)) } }
        try realm.write {
            #expect(told.news == ["-[] +[0] ~[]"])
            #expect(realm.objects(Toy.self).count == 1)
        }
        withExtendedLifetime(token) {}
    }

    @Test("An invisible change is not reported")
    func nothing() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write { realm.add(Toy(id: 1, name: "a")) }
        let told = Told()
        let token = realm.objects(Toy.self).filter("name == 'a'").observe { told.add($0) }
        realm.refresh()
        _ = told.news
        try realm.write { realm.add(Toy(id: 2, name: "b")) }
        realm.refresh()
        try realm.write {}
        realm.refresh()
        try? realm.write {
            realm.add(Toy(id: 3, name: "a"))
            throw CancellationError()
        }
        realm.refresh()
        #expect(told.news.isEmpty)
        try realm.write { realm.objects(Toy.self)[1].name = "a" }
        realm.refresh()
        #expect(told.news == ["-[] +[1] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test("A sorted result reports a move as a deletion and an insertion")
    func sorted() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write {
            for (id, name) in [(1, "a"), (2, "b"), (3, "c")] { realm.add(Toy(id: id, name: name)) }
        }
        let told = Told()
        let token = realm.objects(Toy.self).sorted(byKeyPath: "name").observe { told.add($0) }
        realm.refresh()
        _ = told.news
        try realm.write { realm.object(ofType: Toy.self, forPrimaryKey: 1)?.name = "z" }
        realm.refresh()
        #expect(told.news == ["-[0] +[2] ~[]"])
        try realm.write { realm.object(ofType: Toy.self, forPrimaryKey: 2)?.name = "bb" }
        realm.refresh()
        #expect(told.news == ["-[] +[] ~[0]"])
        withExtendedLifetime(token) {}
    }

    @Test("Key paths determine which changes count")
    func keyPaths() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann", "Berg")
            realm.add(ann)
            let bo = Citizen("Bo")
            ann.spouse = bo
            ann.hounds.append(Hound("Rex"))
        }
        let all = realm.objects(Citizen.self)
        let (whole, age, spouse, members, hounds) = (Told(), Told(), Told(), Told(), Told())
        let tokens = [
            all.observe { whole.add($0) },
            all.observe(keyPaths: [\.age]) { age.add($0) },
            all.observe(keyPaths: ["spouse.firstName"]) { spouse.add($0) },
            all.observe(keyPaths: [] as [String]) { members.add($0) },
            all.observe(keyPaths: [\.hounds]) { hounds.add($0) },
        ]
        func news() -> [String] {
            realm.refresh()
            return [whole, age, spouse, members, hounds].map { $0.news.joined(separator: ";") }
        }
        #expect(news() == Array(repeating: "initial 2", count: 5))
        let ann = all[0]
        try realm.write { ann.age = 4 }
        #expect(news() == ["-[] +[] ~[0]", "-[] +[] ~[0]", "", "", ""])
        try realm.write { ann.spouse?.firstName = "Bob" }
        #expect(news() == ["-[] +[] ~[0, 1]", "", "-[] +[] ~[0]", "", ""])
        try realm.write { ann.hounds[0].age = 9 }
        #expect(news() == ["-[] +[] ~[0]", "", "", "", ""])
        try realm.write { ann.hounds.append(Hound("Fia")) }
        #expect(news() == ["-[] +[] ~[0]", "", "", "", "-[] +[] ~[0]"])
        try realm.write { realm.add(Citizen("Cy")) }
        #expect(news() == Array(repeating: "-[] +[2] ~[]", count: 5))
        withExtendedLifetime(tokens) {}
    }

    @Test("Changes to linked objects count up to three links away")
    func reach() throws {
        let realm = try citizenRealm { realm in
            let chain = (0..<5).map { Citizen("\($0)") }
            for (citizen, next) in zip(chain, chain.dropFirst()) { citizen.spouse = next }
            realm.add(chain)
        }
        let first = realm.objects(Citizen.self).filter("firstName == '0'")
        let told = Told()
        let token = first.observe { told.add($0) }
        realm.refresh()
        _ = told.news
        let all = realm.objects(Citizen.self)
        for distance in 0..<5 {
            try realm.write { all.filter("firstName == '\(distance)'")[0].age += 1 }
            realm.refresh()
            #expect(told.news == (distance <= 3 ? ["-[] +[] ~[0]"] : []))
        }
        withExtendedLifetime(token) {}
    }

    @Test("A thread receives commits from other threads in runNotifications", .tags(.difference))
    func pump() throws {
        let realm = try makeRealm([Toy.self])
        let told = Told()
        let token = realm.objects(Toy.self).observe { told.add($0) }
        Realm.runNotifications()
        #expect(told.news == ["initial 0"])
        let count = Told()
        let configuration = realm.configuration
        Thread.detachNewThread {
            for id in 0..<5 {
                try? Realm(configuration: configuration).write {
                    try Realm(configuration: configuration).add(Toy(id: id))
                }
                count.add("\(id)")
            }
        }
        let toys = realm.objects(Toy.self)
        #expect(Realm.runNotifications(for: 600, until: { toys.count == 5 }))
        let news = told.news
        #expect(!news.isEmpty && news.count <= 5)
        #expect(!Realm.runNotifications(for: 0.01, until: { false }))
        withExtendedLifetime(token) {}
    }

    /// A change that arrived while the block of another observer ran was taken without being
    /// delivered.
    @Test("A block that itself waits for notifications does not take any from later blocks")
    func nestedPump() throws {
        let realm = try makeRealm([Toy.self])
        let configuration = realm.configuration
        let commit: (Int) -> Void = { id in
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                try? Realm(configuration: configuration).write {
                    try Realm(configuration: configuration).add(Toy(id: id))
                }
                done.signal()
            }
            done.wait()
        }
        let toys = realm.objects(Toy.self)
        let told = Told()
        let nested = Told()
        let token = toys.observe { change in
            told.add(change)
            guard case .update = change, nested.news.isEmpty else { return }
            nested.add("once")
            commit(2)
            Realm.runNotifications(for: 0)
        }
        Realm.runNotifications()
        commit(1)
        #expect(Realm.runNotifications(for: 60, until: { toys.count == 2 }))
        #expect(told.news == ["initial 0", "-[] +[0] ~[]", "-[] +[1] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test("Results of lists, inverses and maps can be observed")
    func otherSources() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.hounds.append(objectsIn: [Hound("Rex", age: 1), Hound("Fia", age: 5)])
        }
        let ann = realm.objects(Citizen.self)[0]
        let (young, owners) = (Told(), Told())
        let tokens = [
            ann.hounds.filter("age < 3").observe { young.add($0) },
            ann.hounds[0].owners.observe { owners.add($0) },
        ]
        realm.refresh()
        #expect(young.news == ["initial 1"])
        #expect(owners.news == ["initial 1"])
        try realm.write {
            ann.hounds.append(Hound("Bix"))
            let cy = Citizen("Cy")
            realm.add(cy)
            cy.hounds.append(ann.hounds[0])
        }
        realm.refresh()
        #expect(young.news == ["-[] +[1] ~[]"])
        #expect(owners.news == ["-[] +[1] ~[0]"])
        withExtendedLifetime(tokens) {}
    }
}
