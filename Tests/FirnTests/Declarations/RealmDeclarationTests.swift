// Each declaration of a realm and of its configuration, used with the types that are printed in the
// documentation of the reference. Most of these tests fail by not compiling.

import Dispatch
import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

@Suite("Declarations of realms")
struct RealmDeclarationTests {
    @Test("A realm can be opened by each of its initializers")
    func opening() throws {
        let test = TestRealm([Hound.self])
        let configured: (Realm.Configuration, DispatchQueue?) throws -> Realm =
            Realm.init(configuration:queue:)
        let realm = try configured(test.configuration, nil)
        #expect(try realm == Realm(configuration: test.configuration))
        #expect(realm.isEmpty)
        #expect(!realm.isFrozen && !realm.isInWriteTransaction)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        #expect(realm.autorefresh)
        #expect(realm.configuration == test.configuration)
        #expect(realm.schema["Hound"]?.className == "Hound")
        let located: (URL) throws -> Realm = Realm.init(fileURL:)
        let queued: (DispatchQueue?) throws -> Realm = Realm.init(queue:)
        _ = (located, queued)
        let isThere: (Realm.Configuration) -> Bool = Realm.fileExists(for:)
        #expect(isThere(test.configuration))
        let delete: (Realm.Configuration) throws -> Bool = Realm.deleteFiles(for:)
        #expect(throws: Realm.Error.self) { try delete(test.configuration) }
    }

    @Test("A realm is opened in the background, unless the task is cancelled")
    func asyncOpen() async throws {
        let test = TestRealm([Hound.self])
        let queue = DispatchQueue(label: "opening")
        let isEmpty = try await withCheckedThrowingContinuation { continuation in
            let task: Realm.AsyncOpenTask = Realm.asyncOpen(
                configuration: test.configuration, callbackQueue: queue
            ) { (result: Result<Realm, any Error>) in
                continuation.resume(with: result.map(\.isEmpty))
            }
            _ = task
        }
        #expect(isEmpty)
    }

    @Test("Transactions return values, and can be committed or cancelled")
    func writing() throws {
        let realm = try citizenRealm()
        let token = realm.observe { (notification: Realm.Notification, _: Realm) in
            Issue.record("\(notification)")
        }
        let count: Int = try realm.write(withoutNotifying: [token]) {
            realm.add(Hound("Rex"))
            return realm.objects(Hound.self).count
        }
        #expect(count == 1)
        realm.beginWrite()
        #expect(realm.isInWriteTransaction)
        realm.add([Hound("Fia"), Hound("Bo")])
        try realm.commitWrite(withoutNotifying: [token])
        realm.beginWrite()
        realm.deleteAll()
        realm.cancelWrite()
        #expect(realm.objects(Hound.self).count == 3)
        #expect(token.invalidate())
        realm.invalidate()
        #expect(realm.objects(Hound.self).count == 3)
    }

    @Test("Objects are added, created and deleted with all update policies")
    func objects() throws {
        #expect(Realm.UpdatePolicy.error.rawValue == 1)
        #expect(Realm.UpdatePolicy.modified.rawValue == 3)
        #expect(Realm.UpdatePolicy.all.rawValue == 2)
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let ann = try #require(realm.objects(Citizen.self).first)
        try realm.write {
            realm.add(Hound("Rex", age: 1))
            realm.add(Hound("Rex", age: 2), update: .modified)
            realm.add([Hound("Rex", age: 3), Hound("Fia")], update: .all)
            let bo: Hound = realm.create(Hound.self, value: ["name": "Bo"], update: .error)
            ann.hounds.append(bo)
            let kim: DynamicObject = realm.dynamicCreate(
                "Hound", value: ["name": "Kim", "age": 9], update: .modified)
            #expect(kim.age as? Int == 9)
        }
        let rex: Hound? = realm.object(ofType: Hound.self, forPrimaryKey: "Rex")
        #expect(rex?.age == 3)
        let kim: DynamicObject? = realm.dynamicObject(ofType: "Hound", forPrimaryKey: "Kim")
        #expect(kim?["age"] as? Int == 9)
        let all: Results<DynamicObject> = realm.dynamicObjects("Hound")
        #expect(all.count == 4)
        try realm.write {
            realm.delete(try #require(rex))
            realm.delete(ann.hounds)
            realm.delete([realm.objects(Hound.self)[0]])
            realm.delete(realm.objects(Hound.self))
        }
        #expect(realm.objects(Hound.self).isEmpty && ann.hounds.isEmpty)
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let ledgers = try #require(ledger.realm)
        try ledgers.write { ledgers.delete(ledger.pets) }
        #expect(ledgers.objects(Hound.self).isEmpty)
        try ledgers.write { ledgers.deleteAll() }
        #expect(ledgers.isEmpty)
    }

    @Test("Transactions in the background have ids, and can be grouped and cancelled")
    @MainActor
    func asyncWriting() async throws {
        let test = TestRealm([Hound.self])
        let realm = try await Realm(configuration: test.configuration)
        await withCheckedContinuation { continuation in
            let id: Realm.AsyncTransactionId = realm.writeAsync {
                realm.add(Hound("Rex"))
            } onComplete: { (error: (any Error)?) in
                #expect(error == nil)
                continuation.resume()
            }
            #expect(realm.isPerformingAsynchronousWriteOperations)
            _ = id
        }
        await withCheckedContinuation { continuation in
            let id: Realm.AsyncTransactionId = realm.beginAsyncWrite {
                realm.add(Hound("Fia"))
                realm.commitAsyncWrite(allowGrouping: true) { (error: (any Error)?) in
                    #expect(error == nil)
                    continuation.resume()
                }
            }
            _ = id
        }
        let cancelled = realm.beginAsyncWrite { Issue.record("a cancelled transaction began") }
        try realm.cancelAsyncWrite(cancelled)
        #expect(throws: Realm.Error.self) { try realm.cancelAsyncWrite(cancelled) }
        let count: Int = try await realm.asyncWrite { realm.objects(Hound.self).count }
        #expect(count == 2)
        let hasAdvanced: Bool = await realm.asyncRefresh()
        #expect(!hasAdvanced)
    }

    @Test("A realm and its parts are frozen and thawed")
    func freezing() throws {
        let realm = try citizenRealm { $0.add(Hound("Rex")) }
        let rex = realm.objects(Hound.self)[0]
        let frozen: Realm = realm.freeze()
        #expect(frozen.isFrozen && !frozen.autorefresh)
        #expect(frozen.thaw() == realm)
        let frozenRex: Hound = realm.freeze(rex)
        #expect(frozenRex.isFrozen)
        let thawed: Hound? = realm.thaw(frozenRex)
        #expect(thawed?.isSameObject(as: rex) == true)
        let hounds: Results<Hound> = realm.freeze(realm.objects(Hound.self))
        #expect(hounds.isFrozen)
        let reference = ThreadSafeReference(to: rex)
        let resolved: Hound? = realm.resolve(reference)
        #expect(resolved?.name == "Rex")
        #expect(reference.isInvalidated)
    }

    @Test("Copies of files, schema versions and migrations work by URL")
    func files() throws {
        let test = TestRealm([Hound.self])
        let realm = try test.open()
        try realm.write { realm.add(Hound("Rex")) }
        let copy = URL(fileURLWithPath: test.folder("copy.firn"))
        try realm.writeCopy(toFile: copy, encryptionKey: nil)
        var configuration = test.configuration
        configuration.fileURL = URL(fileURLWithPath: test.folder("second.firn"))
        try realm.writeCopy(configuration: configuration)
        let version: UInt64 = try schemaVersionAtURL(copy, encryptionKey: nil)
        #expect(version == 0)
        configuration.schemaVersion = 4
        try Realm.performMigration(for: configuration)
        #expect(try schemaVersionAtURL(#require(configuration.fileURL)) == 4)
        #expect(try Realm.deleteFiles(for: configuration))
    }

    @Test("A configuration has the parameters and properties of the Realm API")
    func configuration() throws {
        let seed = URL(fileURLWithPath: "/seed.firn")
        let block: MigrationBlock = { (_: Migration, _: UInt64) in }
        let compacts: @Sendable (Int, Int) -> Bool = { totalBytes, usedBytes in
            totalBytes > usedBytes
        }
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "/a.firn"), inMemoryIdentifier: nil, encryptionKey: nil,
            readOnly: false, schemaVersion: 3, migrationBlock: block,
            deleteRealmIfMigrationNeeded: false, shouldCompactOnLaunch: compacts,
            objectTypes: [Hound.self], seedFilePath: seed)
        #expect(configuration.schemaVersion == 3 && configuration.migrationBlock != nil)
        #expect(configuration.shouldCompactOnLaunch?(2, 1) == true)
        #expect(configuration.seedFilePath == seed)
        #expect(configuration.objectTypes?.count == 1)
        configuration.maximumNumberOfActiveVersions = 7
        #expect(configuration.maximumNumberOfActiveVersions == 7)
        #expect(configuration.description.contains("/a.firn"))
        configuration.inMemoryIdentifier = "x"
        #expect(configuration.fileURL == nil)
        configuration.fileURL = seed
        #expect(configuration.inMemoryIdentifier == nil)
        #expect(configuration == configuration)
        func isSendable(_ value: some Sendable) -> Bool { true }
        #expect(isSendable(configuration))
        let initial: Realm.Configuration = .defaultConfiguration
        #expect(initial.schemaVersion == 0 && initial.objectTypes == nil)
        #expect(!initial.readOnly && !initial.deleteRealmIfMigrationNeeded)
        #expect(initial.encryptionKey == nil)
    }

    @Test("Error codes have the numbers of the Realm API")
    func errorCodes() {
        let codes: [(Realm.Error.Code, Int)] = [
            (.fail, 1), (.fileAccess, 2), (.filePermissionDenied, 3), (.fileExists, 4),
            (.fileNotFound, 5), (.fileFormatUpgradeRequired, 6), (.incompatibleLockFile, 8),
            (.addressSpaceExhausted, 9), (.schemaMismatch, 10), (.alreadyOpen, 12),
            (.invalidInput, 13), (.outOfDiskSpace, 14), (.incompatibleSession, 15),
            (.unsupportedFileFormatVersion, 16), (.multipleSyncAgents, 17),
            (.subscriptionFailed, 18), (.fileOperationFailed, 19), (.invalidDatabase, 20),
            (.incompatibleHistories, 21), (.noSubscriptionForWrite, 22),
        ]
        for (code, number) in codes { #expect(code.rawValue == number) }
        #expect(Realm.Error.callFailed == .fail)
        #expect(Realm.Error(.fileAccess) == Realm.Error(.fileAccess))
        do {
            throw Realm.Error(.fileAccess)
        } catch Realm.Error.fileAccess {
        } catch {
            Issue.record(error)
        }
    }
}
