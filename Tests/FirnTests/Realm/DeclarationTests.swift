// Declarations of the reference that programs use as printed: as generic constraints, as unapplied
// references, or with types that the documentation names.

import Dispatch
import Firn
import Foundation
import Testing

private final class Renamed: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func _realmObjectName() -> String? { "Other" }

    @Persisted var name = ""
}

/// Sections in code that knows only that the elements are objects.
private func initials<C: RealmCollection>(
    _ collection: C, _ keyPath: KeyPath<C.Element, String>
) -> [String] where C.Element: ObjectBase {
    collection.sectioned(by: keyPath).allKeys
        + collection.sectioned(by: keyPath, sortDescriptors: [.init(keyPath: "firstName")]).allKeys
}

/// Sections in code that knows nothing about the elements.
private func parities<C: RealmCollection>(
    _ collection: C, _ key: @escaping (C.Element) -> Int
) -> [Int] { collection.sectioned(by: key, ascending: false).allKeys }

private func isObservable(_ value: some RealmSubscribable) -> Bool { !value.isFrozen }

@Suite("Declarations as printed")
struct DeclarationTests {
    @Test("Elements are sectioned in generic code")
    func sections() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            ann.marks.append(objectsIn: [3, 4, 5])
            realm.add([Citizen("Bob"), ann])
        }
        let all = realm.objects(Citizen.self)
        #expect(initials(all, \.firstName) == ["Ann", "Bob", "Ann", "Bob"])
        let marks = try #require(all.last).marks
        #expect(parities(marks) { $0 % 2 } == [1, 0])
    }

    @Test("Objects, collections, sections and projections can be observed in generic code")
    func subscribable() throws {
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let all = realm.objects(Citizen.self)
        let ann = try #require(all.first)
        #expect(isObservable(all))
        #expect(isObservable(ann))
        #expect(isObservable(ann.marks))
        #expect(isObservable(AnyRealmCollection(ann.marks)))
        #expect(isObservable(ledger.tags))
        #expect(isObservable(ledger.scores))
        #expect(isObservable(all.sectioned(by: \.lastName)))
        #expect(isObservable(CitizenProjection(projecting: ann)))
        #expect(isObservable(CitizenProjection(projecting: ann).cities))
    }

    @Test("Asynchronous methods work as unapplied references")
    @MainActor
    func unapplied() async throws {
        typealias Change = RealmCollectionChange<Results<Citizen>>
        typealias Block = @Sendable (isolated MainActor, Change) -> Void
        typealias Observe = ([String]?, MainActor, @escaping Block) async -> NotificationToken
        let realm = try await Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Citizen.self]))
        let all = realm.objects(Citizen.self)
        let observe: (Results<Citizen>) -> Observe = Results<Citizen>.observe(keyPaths:on:_:)
        let token = await observe(all)(nil, .shared) { _, _ in }
        #expect(token.invalidate())
    }

    @Test("A change block may name a base class")
    func baseClass() throws {
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let ann = realm.objects(Citizen.self)[0]
        let told = Told()
        let tokens = [
            (ann as ObjectBase).observe { (change: ObjectChange<ObjectBase>) in
                if case .change(let object, _) = change {
                    told.add("base \(object["firstName"] ?? "")")
                }
            },
            ann.observe(keyPaths: ["age"]) { (change: ObjectChange<Object>) in
                if case .deleted = change { told.add("deleted") }
            },
        ]
        try realm.write { ann.firstName = "Anna" }
        realm.refresh()
        #expect(told.news == ["base Anna"])
        try realm.write { realm.delete(ann) }
        realm.refresh()
        #expect(told.news == ["deleted"])
        withExtendedLifetime(tokens) {}
    }

    @Test("Objects are compared by isEqual")
    func equality() throws {
        let realm = try citizenRealm { $0.add(Hound("Rex")) }
        let rex = realm.objects(Hound.self)[0]
        #expect(rex.isEqual(realm.objects(Hound.self)[0]))
        #expect(!rex.isEqual(Hound("Rex")))
        #expect(!rex.isEqual(nil))
        #expect(!rex.isEqual("Rex"))
    }

    @Test("A class may have another name in the file")
    func renamed() throws {
        #expect(Renamed.className() == "Other")
        #expect(Citizen._realmObjectName() == nil)
        let realm = try makeRealm([Renamed.self])
        try realm.write { realm.add(Renamed(value: ["x"])) }
        #expect(realm.dynamicObjects("Other").count == 1)
    }

    @Test("A class returns its schema without a realm")
    func sharedSchema() {
        #expect(Hound.sharedSchema()?.className == "Hound")
        #expect(Hound.sharedSchema()?.primaryKeyProperty?.name == "name")
        #expect(Hound.sharedSchema()?["owners"]?.type == .linkingObjects)
    }

    @Test("A program can create and recognize realm errors")
    func errors() {
        let error = Realm.Error(.fail)
        #expect(error.code == .fail)
        #expect((error as NSError).code == Realm.Error.fail.rawValue)
        let thrown: any Error = Realm.Error(
            .fileAccess,
            userInfo: [NSFilePathErrorKey: "/x", NSLocalizedDescriptionKey: "no disk"])
        #expect((thrown as? Realm.Error)?.fileURL?.path == "/x")
        #expect((thrown as NSError).localizedDescription == "no disk")
        #expect(Realm.Error.fileAccess ~= thrown)
    }

    @Test("The names in the Realm documentation exist in this module")
    func aliases() {
        #expect(RLMObjectBase.self == ObjectBase.self)
        func persisted<T: _RealmSchemaDiscoverable>(_ type: T.Type) -> String { "\(type)" }
        func optional<T: _RealmCollectionValueInsideOptional>(_ type: T.Type) -> String {
            "\(type)"
        }
        func numeric<T: _QueryNumeric>(_ type: T.Type) -> String { "\(type)" }
        func collection<C: RealmCollectionImpl>(_ type: C.Type) -> String { "\(type)" }
        func base<C: RLMSwiftCollectionBase>(_ type: C.Type) -> String { "\(type)" }
        func storage<C: RLMSwiftValueStorage>(_ type: C.Type) -> String { "\(type)" }
        #expect(persisted(Int.self) == "Int")
        #expect(optional(String.self) == "String")
        #expect(numeric(Date.self) == "Date")
        #expect(collection(List<Int>.self) == "List<Int>")
        #expect(base(Map<String, Int>.self) == "Map<String, Int>")
        #expect(storage(RealmProperty<Int?>.self) == "RealmProperty<Optional<Int>>")
    }

    @Test("Comparing two collections stops the program")
    func collections() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { $0.marks == $0.marks }
        }.says("a condition compares two collections: compare one with an element")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ledgerRealm().objects(Ledger.self).where { $0.scores != $0.scores }
        }.says("a condition compares two collections: compare one with an element")
    }
}
