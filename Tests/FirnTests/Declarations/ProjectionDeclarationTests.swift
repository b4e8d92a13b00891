// Each declaration of projections, queries, schemas and subscriptions, used with the types that are
// printed in the documentation of the reference. Most of these tests fail by not compiling.

import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

private actor Viewer {
    func count(_ configuration: Realm.Configuration) async throws -> Int {
        let realm = try await Realm(configuration: configuration, actor: self)
        let shown = try #require(realm.objects(CitizenProjection.self).first)
        let tokens: [NotificationToken] = [
            await shown.observe(keyPaths: ["firstName"], on: self) {
                (_: isolated Viewer, _: ObjectChange<CitizenProjection>) in
            },
            await shown.observe(keyPaths: [\CitizenProjection.firstName], on: self) {
                (_: isolated Viewer, _: ObjectChange<CitizenProjection>) in
            },
        ]
        return tokens.filter { $0.invalidate() }.count
    }
}

@Suite("Declarations of projections, queries and schemas")
struct ProjectionDeclarationTests {
    @Test("A projection has the members of the Realm API")
    func projections() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann", "Ash")
            ann.homes.append(Home(value: ["city": "Bern"]))
            realm.add(ann)
        }
        let ann = realm.objects(Citizen.self)[0]
        let shown: CitizenProjection = CitizenProjection(projecting: ann)
        let all: Results<CitizenProjection> = realm.objects(CitizenProjection.self)
        #expect(all[0] == shown && shown.rootObject === ann && Set([shown, all[0]]).count == 1)
        #expect(shown.realm == realm && !shown.isInvalidated && !shown.isFrozen)
        #expect(shown.freeze().isFrozen && shown.freeze().thaw()?.firstName == "Ann")
        #expect(CitizenProjection.className() == "Citizen")
        #expect(all.filter("lastName == 'Ash'").count == 1)
        func observable<P: ProjectionObservable>(_ value: P) -> P.Root { value.rootObject }
        #expect(observable(shown) === ann)
        func identifiable<I: ObjectKeyIdentifiable>(_ value: I) -> I.ID { value.id }
        _ = identifiable(Pet())
        let cities: ProjectedCollection<String> = shown.cities
        #expect(cities.startIndex == 0 && cities.endIndex == 1 && cities[0] == "Bern")
        #expect(
            cities.index(of: "Bern") == 0 && cities.description.hasPrefix("ProjectedCollection<"))
        #expect(cities.realm == realm && cities.freeze().thaw()?.count == 1)
        try realm.write { cities[0] = "Oslo" }
        #expect(ann.homes[0].city == "Oslo")
    }

    @Test("Changes to a projection can be observed in all forms")
    func observing() async throws {
        let test = TestRealm([Citizen.self, Hound.self])
        do {
            let realm = try test.open()
            try realm.write { realm.add(Citizen("Ann")) }
        }
        #expect(try await Viewer().count(test.configuration) == 2)
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let shown = realm.objects(CitizenProjection.self)[0]
        let names = Guarded<[String]>([])
        let block: (ObjectChange<CitizenProjection>) -> Void = { change in
            guard case .change(_, let properties) = change else { return }
            names.withLock { $0 += properties.map { "\($0.name) \($0.newValue ?? "-")" } }
        }
        let tokens = [
            shown.observe(keyPaths: nil as [String]?, on: nil, block),
            shown.observe(keyPaths: [\CitizenProjection.firstName], block),
        ]
        let collection = shown.friendsFirstName.observe(on: nil) {
            (_: RealmCollectionChange<ProjectedCollection<String>>) in
        }
        try realm.write { shown.rootObject.firstName = "Anna" }
        realm.refresh()
        #expect(names.withLock { $0 } == ["firstName Anna", "firstName Anna"])
        #expect((tokens + [collection]).allSatisfy { $0.invalidate() })
    }

    @Test("A variable and a reference carry every kind of confined value")
    func confined() throws {
        let ann: Citizen = try {
            let realm = try citizenRealm { realm in
                let ann = Citizen("Ann")
                ann.hounds.append(Hound("Rex"))
                ann.home = Home(value: ["city": "Bern"])
                realm.add(ann)
            }
            return realm.objects(Citizen.self)[0]
        }()
        let realm = try #require(ann.realm)
        func carried<T: ThreadConfined>(_ value: T) -> Bool {
            let variable: ThreadSafe<T> = ThreadSafe(wrappedValue: value)
            let reference: ThreadSafeReference<T> = ThreadSafeReference(to: value)
            return variable.wrappedValue != nil && realm.resolve(reference) != nil
        }
        #expect(carried(ann) && carried(ann.hounds) && carried(realm.objects(Citizen.self)))
        #expect(carried(ann.hounds[0].owners) && carried(AnyRealmCollection(ann.hounds)))
        #expect(carried(CitizenProjection(projecting: ann)))
        #expect(carried(try #require(ann.home)))
    }

    @Test("A condition has the operators of the Realm API")
    func queries() throws {
        let realm = try ledgerRealm()
        let ledgers = realm.objects(Ledger.self)
        let rex = try #require(realm.object(ofType: Hound.self, forPrimaryKey: "Rex"))
        func names(_ condition: (Query<Ledger>) -> Query<Bool>) -> String {
            ledgers.where(condition).sorted(byKeyPath: "name").map(\.name).joined()
        }
        #expect(names { $0.name == "a" || !($0.name != "b") } == "ab")
        #expect(names { $0.name < "b" } == "a" && names { $0.name >= "b" } == "bc")
        #expect(names { $0.name.in(["a", "c"]) } == "ac" && names { $0.limit > 12 } == "b")
        #expect(names { $0.limit.contains(12..<13) } == "b")
        #expect(names { $0.limit.contains(0...12.5) } == "abc")
        #expect(names { $0.name.contains("A", options: .caseInsensitive) } == "a")
        #expect(
            names { $0.name.starts(with: "Á", options: [.caseInsensitive, .diacriticInsensitive]) }
                == "a")
        #expect(names { $0.name.ends(with: "b") } == "b" && names { $0.name.like("?") } == "abc")
        #expect(names { $0.name.like("A", caseInsensitive: true) } == "a")
        #expect(names { $0.name.equals("A", options: [.caseInsensitive]) } == "a")
        #expect(names { $0.name.notEquals("A", options: [.caseInsensitive]) } == "bc")
        #expect(names { $0.tags.count == 1 } == "a" && names { $0.tags.contains("red") } == "a")
        #expect(names { $0.tags.containsAny(in: ["red", "blue"]) } == "a")
        #expect(names { $0.pack.contains(rex) } == "a" && names { $0.pack.age > 8 } == "a")
        #expect(names { ($0.pack.age > 2 && $0.pack.name == "Rex").count > 0 } == "a")
        #expect(names { $0.scores.keys == "y" } == "a" && names { $0.scores.values > 8 } == "b")
        #expect(names { $0.scores["x"] == 3 } == "a" && names { $0.scores.count == 2 } == "a")
        #expect(names { $0.scores.contains(9) } == "b" && names { $0.scores.max == 5 } == "a")
        #expect(names { $0.scores.sum == 8 } == "a" && names { $0.scores.min == 3 } == "a")
        #expect(names { $0.scores.avg == 9 } == "b" && names { $0.pack.age.avg == 6 } == "a")
        #expect(
            names { $0.anything == .int(7) } == "a"
                && names { $0.anything["size"] == .int(3) } == "b")
        #expect(names { $0.anything["tags"][0] == .string("a") } == "b")
        #expect(names { $0.anything["tags"].any == .string("b") } == "b")
        #expect(names { $0.kind == .closed } == "b" && names { $0.kind.rawValue == "open" } == "ac")
        #expect(names { $0.balance.persistableValue > 200 } == "b")
        #expect(names { $0.formerKind == nil } == "ac")
    }

    @Test("A schema describes classes and properties")
    func schemas() throws {
        let schema: Schema = try citizenRealm().schema
        let classes: [ObjectSchema] = schema.objectSchema
        #expect(classes.map(\.className) == ["Citizen", "Home", "Hound", "Mayor", "Planet"])
        #expect(schema == schema && schema.description.hasPrefix("Schema {"))
        let hound = try #require(schema["Hound"])
        #expect(hound.objectClass == Hound.self && !hound.isEmbedded && !hound.isAsymmetric)
        #expect(hound.primaryKeyProperty?.name == "name" && hound == classes[2])
        #expect(hound.description.hasPrefix("Hound {"))
        let weight: Property = try #require(hound["weight"])
        #expect(weight.name == "weight" && weight.columnName == "weight" && weight.type == .float)
        #expect(weight.isOptional && !weight.isArray && !weight.isSet && !weight.isMap)
        #expect(!weight.isIndexed && weight.objectClassName == nil && weight == weight)
        #expect(schema["Citizen"]?["hounds"]?.isArray == true)
        #expect(schema["Citizen"]?["hounds"]?.objectClassName == "Hound")
        let types: [PropertyType] = [
            .int, .bool, .string, .data, .date, .float, .double, .object, .linkingObjects, .any,
            .objectId, .decimal128, .UUID,
        ]
        #expect(types.map(\.rawValue) == Array(0...12))
    }

    @Test("A migration has the members of the Realm API")
    func migrations() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let block: MigrationBlock = { (migration: Migration, oldVersion: UInt64) in
            let schemas: [Schema] = [migration.oldSchema, migration.newSchema]
            #expect(schemas[0] != schemas[1] && oldVersion == 1)
            let each: MigrationObjectEnumerateBlock = {
                (old: MigrationObject?, new: MigrationObject?) in
                new?["name"] = old?["first"]
            }
            migration.enumerateObjects(ofType: "Contact", each)
            let made: MigrationObject = migration.create("Contact", value: ["name": "Cid"])
            migration.delete(made)
            let isThere: Bool = migration.deleteData(forType: "Room")
            #expect(isThere && !migration.deleteData(forType: "Nothing"))
            migration.deleteData(forType: "Place")
        }
        let realm = try file.open(Contacts2.types, 2, block)
        #expect(realm.objects(Contacts2.Contact.self).count == 2)
    }

    @MainActor
    @Test("Subscriptions are named queries with the members of the Realm API")
    func subscriptions() async throws {
        let realm = try await Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Hound.self, Citizen.self]))
        let set: SyncSubscriptionSet = realm.subscriptions
        try await set.update {
            set.append(
                QuerySubscription<Hound>(name: "old") { $0.age > 8 },
                QuerySubscription<Hound>(name: "young", where: "age < %d", 3))
            set.append(QuerySubscription<Hound>())
        }
        #expect(set.count == 3 && set.state == SyncSubscriptionState.complete && set.error == nil)
        let old: SyncSubscription = try #require(set.first(named: "old"))
        #expect(old.name == "old" && old.createdAt <= old.updatedAt)
        #expect(set.first(ofType: Hound.self) { $0.age > 8 }?.name == "old")
        #expect(set.first(ofType: Hound.self, where: "age < %d", 3)?.name == "young")
        #expect(set[0]?.name == set.first?.name && set.last != nil)
        #expect(Array(set).count == 3)
        try await set.update {
            old.updateQuery(toType: Hound.self) { $0.age > 9 }
            set.remove(named: "young")
        }
        #expect(set.first(ofType: Hound.self, where: "age > 9")?.name == "old")
        try await set.update { set.remove(ofType: Hound.self) { $0.age > 9 } }
        #expect(set.count == 1)
        try await set.update { set.removeAll(unnamedOnly: true) }
        #expect(set.count == 0)
        let modes: [WaitForSyncMode] = [.onCreation, .always, .never]
        for mode in modes {
            let results: Results<Hound> = try await realm.objects(Hound.self).subscribe(
                name: "all", waitForSync: mode, timeout: 1)
            #expect(results.isEmpty)
        }
        realm.objects(Hound.self).unsubscribe()
        try await set.update { set.removeAll(ofType: Hound.self) }
        #expect(set.count == 0)
    }
}
