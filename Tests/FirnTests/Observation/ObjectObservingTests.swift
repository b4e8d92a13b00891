import Firn
import Foundation
import Testing

@Suite("Observation of objects")
struct ObjectObservingTests {
    @Test(
        "Own changes of a realm have new values, and other changes also have old values",
        .tags(.difference))
    func values() throws {
        let realm = try citizenRealm { $0.add(Citizen("Ann", "Berg", age: 3)) }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let token = ann.observe { told.add($0.line) }
        realm.refresh()
        #expect(told.news.isEmpty)
        try realm.write {
            ann.age = 4
            ann.firstName = "Anne"
            ann.weight = 61.5
        }
        #expect(told.news.isEmpty)
        realm.refresh()
        #expect(told.news == ["firstName: nil -> Anne, age: nil -> 4, weight: nil -> 61.5"])
        try elsewhere(realm) { realm in
            try realm.write {
                realm.objects(Citizen.self)[0].age = 5
                realm.objects(Citizen.self)[0].weight = nil
            }
        }
        realm.refresh()
        #expect(told.news == ["age: 4 -> 5, weight: 61.5 -> nil"])
        withExtendedLifetime(token) {}
    }

    @Test(
        "Changes that are undone and equal values are reported, but rollbacks are not"
    )
    func sameValue() throws {
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let token = ann.observe { told.add($0.line) }
        try realm.write {
            ann.firstName = "Bo"
            ann.firstName = "Ann"
        }
        realm.refresh()
        #expect(told.news == ["firstName: nil -> Ann"])
        try realm.write { ann.firstName = "Ann" }
        realm.refresh()
        #expect(told.news == ["firstName: nil -> Ann"])
        try? realm.write {
            ann.firstName = "Bo"
            throw CancellationError()
        }
        realm.refresh()
        try realm.write { realm.add(Citizen("Bo")) }
        realm.refresh()
        #expect(told.news.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test(
        "Setting or editing links and collections is reported, but changes to their targets are not"
    )
    func shallow() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.spouse = Citizen("Bo")
            ann.hounds.append(Hound("Rex"))
        }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let token = ann.observe { change in
            guard case .change(_, let properties) = change else { return }
            told.add(properties.map(\.name).joined(separator: " "))
            #expect(properties.allSatisfy { $0.name != "hounds" || $0.newValue is List<Hound> })
        }
        try realm.write {
            ann.spouse?.age = 9
            ann.hounds[0].age = 9
        }
        realm.refresh()
        #expect(told.news.isEmpty)
        try realm.write {
            ann.hounds.append(Hound("Fia"))
            ann.spouse = nil
        }
        realm.refresh()
        #expect(told.news == ["spouse hounds"])
        try realm.write { realm.delete(ann.hounds[0]) }
        realm.refresh()
        #expect(told.news == ["hounds"])
        withExtendedLifetime(token) {}
    }

    @Test("The old value of a link is the current state of the object")
    func links() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.spouse = Citizen("Bo")
        }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let token = ann.observe { change in
            guard case .change(_, let properties) = change, let first = properties.first else {
                return
            }
            let old = first.oldValue as? Citizen
            told.add(
                "\(first.name) \(old?.isInvalidated == true ? "gone" : old?.firstName ?? "nil")")
        }
        try elsewhere(realm) { realm in
            try realm.write {
                let all = realm.objects(Citizen.self)
                all[0].spouse?.firstName = "Bob"
                all[0].spouse = nil
            }
        }
        realm.refresh()
        #expect(told.news == ["spouse Bob"])
        try realm.write { ann.spouse = realm.objects(Citizen.self)[1] }
        realm.refresh()
        _ = told.news
        try elsewhere(realm) { realm in
            try realm.write { realm.delete(realm.objects(Citizen.self)[1]) }
        }
        realm.refresh()
        #expect(told.news == ["spouse gone"])
        withExtendedLifetime(token) {}
    }

    @Test(
        "Key paths reach over links and inverses, and changes have the name of their first property"
    )
    func keyPaths() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.home = Home(value: ["city": "Oslo"])
            ann.hounds.append(Hound("Rex"))
        }
        let ann = realm.objects(Citizen.self)[0]
        let rex = ann.hounds[0]
        let (city, age, owners, end) = (Told(), Told(), Told(), Told())
        func names(_ told: Told) -> (ObjectChange<Citizen>) -> Void {
            { change in
                guard case .change(_, let properties) = change else { return told.add("deleted") }
                told.add(properties.map(\.name).joined(separator: " "))
            }
        }
        let tokens = [
            ann.observe(keyPaths: ["home.city"], names(city)),
            ann.observe(keyPaths: [\.age], names(age)),
            ann.observe(keyPaths: [] as [String], names(end)),
            rex.observe(keyPaths: ["owners.firstName"]) { change in
                guard case .change(_, let properties) = change else { return }
                owners.add(properties.map(\.name).joined(separator: " "))
            },
        ]
        func news() -> [String] {
            realm.refresh()
            return [city, age, owners, end].map { $0.news.joined(separator: ";") }
        }
        try realm.write { ann.home?.city = "Rome" }
        #expect(news() == ["home", "", "", ""])
        try realm.write { ann.home?.country = "Italy" }
        #expect(news() == ["", "", "", ""])
        try realm.write { ann.home = Home(value: ["city": "Bonn"]) }
        #expect(news() == ["home", "", "", ""])
        try realm.write { ann.age = 1 }
        #expect(news() == ["", "age", "", ""])
        try realm.write { ann.firstName = "Anne" }
        #expect(news() == ["", "", "owners", ""])
        try realm.write { realm.delete(ann) }
        #expect(news() == ["deleted", "deleted", "owners", "deleted"])
        withExtendedLifetime(tokens) {}
    }

    @Test("The deletion of an object is reported once, even if it was embedded")
    func deleted() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.home = Home(value: ["city": "Oslo"])
        }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let home = try #require(ann.home)
        let tokens = [
            ann.observe { told.add("ann \($0.line)") },
            home.observe { told.add("home \($0.line)") },
        ]
        try realm.write { home.city = "Rome" }
        realm.refresh()
        #expect(told.news == ["home city: nil -> Rome"])
        try realm.write { ann.home = nil }
        realm.refresh()
        #expect(told.news == ["ann home: nil -> nil", "home deleted"])
        try realm.write { realm.delete(ann) }
        realm.refresh()
        try realm.write { realm.add(Citizen("Bo")) }
        realm.refresh()
        #expect(told.news == ["ann deleted"])
        withExtendedLifetime(tokens) {}
    }

    @Test("Sets and maps are reported with their current content")
    func collections() throws {
        let realm = try ledgerRealm()
        let ledger = realm.objects(Ledger.self)[0]
        let told = Told()
        let token = ledger.observe { change in
            guard case .change(_, let properties) = change else { return }
            for property in properties {
                let old = property.oldValue.map { "\(type(of: $0))" } ?? "nil"
                let new = property.newValue.map { "\(type(of: $0))" } ?? "nil"
                told.add("\(property.name) \(old) \(new)")
            }
        }
        try elsewhere(realm) { realm in
            try realm.write {
                let ledger = realm.objects(Ledger.self)[0]
                ledger.scores["z"] = 1
                ledger.tags.insert("blue")
                ledger.rank.value = 5
            }
        }
        realm.refresh()
        #expect(
            told.news == [
                "scores Map<String, Int> Map<String, Int>",
                "tags MutableSet<String> MutableSet<String>", "rank Int Int",
            ])
        withExtendedLifetime(token) {}
    }

    @Test("A projection reports exactly those of its properties that show a change")
    func projections() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann", "Berg")
            realm.add(ann)
            ann.home = Home(value: ["city": "Oslo"])
            ann.friends.append(Citizen("Bo"))
        }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let city = Told()
        let tokens = [
            CitizenProjection(projecting: ann).observe { told.add($0.line) },
            CitizenProjection(projecting: ann).observe(keyPaths: [\.homeCity]) {
                city.add($0.line)
            },
            CitizenProjection(projecting: ann).observe(keyPaths: ["homeCity"]) {
                city.add($0.line)
            },
        ]
        try realm.write { ann.age = 3 }
        realm.refresh()
        #expect(told.news.isEmpty)
        try elsewhere(realm) { realm in
            try realm.write {
                let ann = realm.objects(Citizen.self)[0]
                ann.lastName = "Dahl"
                ann.home?.city = "Rome"
            }
        }
        realm.refresh()
        #expect(told.news == ["lastNameCaps: BERG -> DAHL, homeCity: Oslo -> Rome"])
        #expect(city.news == Array(repeating: "homeCity: Oslo -> Rome", count: 2))
        try realm.write { ann.friends[0].firstName = "Bob" }
        realm.refresh()
        #expect(
            told.news == [
                "friendsFirstName: nil -> ProjectedCollection<String> {\n\t[0] Bob\n}"
            ])
        try realm.write { ann.friends[0].age = 5 }
        realm.refresh()
        #expect(told.news.isEmpty)
        try realm.write { realm.delete(ann) }
        realm.refresh()
        #expect(told.news == ["deleted"])
        #expect(city.news == ["deleted", "deleted"])
        withExtendedLifetime(tokens) {}
    }

    @Test("A projected collection reports its values, at the positions of the objects")
    func projectedCollection() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            realm.add(ann)
            ann.friends.append(objectsIn: [Citizen("Bo"), Citizen("Cy")])
        }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let names = CitizenProjection(projecting: ann).friendsFirstName
        let token = names.observe { told.add($0) }
        realm.refresh()
        #expect(told.news == ["initial 2"])
        try realm.write { ann.friends[1].firstName = "Cyd" }
        realm.refresh()
        #expect(told.news == ["-[] +[] ~[1]"])
        try realm.write { ann.friends[1].age = 9 }
        realm.refresh()
        #expect(told.news.isEmpty)
        try realm.write { ann.friends.remove(at: 0) }
        realm.refresh()
        #expect(told.news == ["-[0] +[] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test("A realm is notified of its own commits before they return, and of other commits later")
    func realms() throws {
        let realm = try makeRealm([Toy.self])
        let told = Told()
        let token = realm.observe { notification, seen in
            told.add("\(notification) \(seen.objects(Toy.self).count)")
            #expect(!seen.isInWriteTransaction)
        }
        #expect(told.news.isEmpty)
        try realm.write { realm.add(Toy(id: 1)) }
        #expect(told.news == ["didChange 1"])
        try elsewhere(realm) { realm in try realm.write { realm.add(Toy(id: 2)) } }
        #expect(told.news.isEmpty)
        Realm.runNotifications()
        #expect(told.news == ["didChange 2"])
        realm.autorefresh = false
        try elsewhere(realm) { realm in try realm.write { realm.add(Toy(id: 3)) } }
        Realm.runNotifications()
        Realm.runNotifications()
        #expect(told.news == ["refreshRequired 2"])
        realm.refresh()
        #expect(told.news == ["didChange 3"])
        token.invalidate()
        try realm.write { realm.add(Toy(id: 4)) }
        #expect(told.news.isEmpty)
    }
}
