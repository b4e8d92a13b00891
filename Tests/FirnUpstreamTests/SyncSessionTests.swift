import Firn
import FirnPlatform
import FirnTesting
import FirnUpstream
import Foundation
import Testing

@testable import FirnReplication

class SyncedTicket: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var title = ""
    @Persisted var owner = ""
    @Persisted var tags: List<String>
}

/// Has no primary key, and cannot be replicated.
class SyncedNote: Object {
    @Persisted var text = ""
}

/// Programs that replicate through the object API, and a real server.
@Suite("Replication through the object API", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct SyncSessionTests {
    private let folder = TemporaryFolder()
    private let address: String

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("sessions")
    }

    private func configuration(
        _ name: String, _ change: (inout SyncConfiguration) -> Void = { _ in }
    ) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder(name + ".firn")),
            objectTypes: [SyncedTicket.self, SyncedNote.self])
        var sync = SyncConfiguration(address: address)
        change(&sync)
        configuration.syncConfiguration = sync
        return configuration
    }

    private func realm(
        _ name: String, _ change: (inout SyncConfiguration) -> Void = { _ in }
    ) async throws -> Realm {
        let realm = try await Realm(configuration: configuration(name, change))
        try realm.configuration.syncConfiguration?.prepareServer(for: realm)
        realm.syncSession?.resume()
        return realm
    }

    private func add(_ number: Int, _ title: String, _ owner: String, to realm: Realm) throws {
        try realm.write {
            let ticket = SyncedTicket()
            ticket.number = number
            ticket.title = title
            ticket.owner = owner
            realm.add(ticket, update: .modified)
        }
    }

    /// Expects an error of a kind.
    private func expectError(
        _ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch {
            #expect(code ~= error, "\(error)", sourceLocation: sourceLocation)
        }
    }

    private func titles(_ realm: Realm) -> [String] {
        realm.refresh()
        return realm.objects(SyncedTicket.self).sorted(byKeyPath: "number").map(\.title)
    }

    @Test("An object added in one realm arrives in another that subscribes to it")
    func roundTrip() async throws {
        let (a, b) = (try await realm("a"), try await realm("b"))
        _ = try await a.objects(SyncedTicket.self).subscribe()
        try add(1, "roof", "anna", to: a)
        try add(2, "door", "bob", to: a)
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        let mine = try await b.objects(SyncedTicket.self).where { $0.owner == "anna" }
            .subscribe(name: "mine", timeout: 60)
        #expect(mine.map(\.title) == ["roof"])
        #expect(titles(b) == ["roof"])
        #expect(b.subscriptions.state == .complete)
        #expect(b.subscriptions.first(named: "mine") != nil)
        #expect(b.syncSession?.state == .active)
        #expect(b.syncSession?.connectionState == .connected)
    }

    @Test("Writing an object that no subscription selects throws and changes nothing")
    func outside() async throws {
        let a = try await realm("a")
        await expectError(.noSubscriptionForWrite) { try add(1, "roof", "anna", to: a) }
        _ = try await a.objects(SyncedTicket.self).where { $0.owner == "anna" }.subscribe()
        try add(1, "roof", "anna", to: a)
        await expectError(.noSubscriptionForWrite) { try add(2, "door", "bob", to: a) }
        await expectError(.noSubscriptionForWrite) {
            try await a.asyncWrite {
                _ = a.create(SyncedTicket.self, value: ["number": 3, "owner": "bob"])
            }
        }
        #expect(titles(a) == ["roof"])
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        #expect(titles(a) == ["roof"])
        // A class without a primary key stays in the file.
        try a.write { a.add(SyncedNote()) }
    }

    @Test("Observers of a realm are notified of changes from another realm")
    func observed() async throws {
        let (a, b) = (try await realm("a"), try await realm("b"))
        _ = try await a.objects(SyncedTicket.self).subscribe()
        let results = try await b.objects(SyncedTicket.self).subscribe(timeout: 60)
        let (changes, continuation) = AsyncStream.makeStream(of: Int.self)
        let token = results.observe { change in
            switch change {
            // On a slow machine, the object may come before the first call.
            case .initial(let results): if !results.isEmpty { continuation.yield(results.count) }
            case .update(_, _, let insertions, _): continuation.yield(insertions.count)
            case .error: continuation.finish()
            }
        }
        try add(7, "roof", "anna", to: a)
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        #expect(results.first?.title == "roof")
        token.invalidate()
    }

    @Test("Dropping a subscription removes its objects from the file, but not from the server")
    func unsubscribing() async throws {
        let a = try await realm("a")
        let all = try await a.objects(SyncedTicket.self).subscribe()
        try add(1, "roof", "anna", to: a)
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        all.unsubscribe()
        try await a.syncSession?.wait(for: .download, timeout: 60)
        #expect(titles(a) == [])
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        #expect(titles(a) == ["roof"])
    }

    @Test("Subscribing to a condition that the server cannot evaluate exactly is refused")
    func notPushable() async throws {
        let a = try await realm("a")
        await expectError(.subscriptionFailed) {
            _ = try await a.objects(SyncedTicket.self).filter("title ==[c] 'x'").subscribe()
        }
        await expectError(.schemaMismatch) {
            _ = try await a.objects(SyncedNote.self).subscribe()
        }
        #expect(a.subscriptions.count == 0)
        let failure = Guarded<Realm.Error?>(nil)
        a.subscriptions.update {
            a.subscriptions.append(QuerySubscription<SyncedTicket>(where: "title ==[c] 'x'"))
        } onComplete: { error in
            failure.withLock { $0 = error as? Realm.Error }
        }
        let error = failure.withLock { $0 }
        #expect(error?.code == .subscriptionFailed)
    }

    @Test("waitForSync waits for new subscriptions, always, or never")
    func waiting() async throws {
        let server = try PostgresServer()
        let there = try server.makeDatabase("waiting")
        let a = try await realm("a") { $0.address = there }
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        try server.crash()
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 0.2)
        await expectError(.timedOut) {
            _ = try await a.objects(SyncedTicket.self).subscribe(waitForSync: .always, timeout: 0.2)
        }
        let young = a.objects(SyncedTicket.self).where { $0.number > 5 }
        _ = try await young.subscribe(waitForSync: .never)
        #expect(a.subscriptions.state == .pending)
        await expectError(.timedOut) {
            _ = try await young.subscribe(name: "other", timeout: 0.2)
        }
        #expect(a.subscriptions.count == 3, "a wait that ends too early keeps the subscription")
        try add(9, "offline", "anna", to: a)
        #expect(titles(a) == ["offline"])
        try server.restart()
        a.syncSession?.resume()
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        #expect(a.subscriptions.state == .complete)
    }

    @Test("update waits for the objects, or calls a completion block instead")
    func updates() async throws {
        let (a, b) = (try await realm("a"), try await realm("b"))
        _ = try await a.objects(SyncedTicket.self).subscribe()
        try add(1, "roof", "anna", to: a)
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        try await b.subscriptions.update {
            b.subscriptions.append(QuerySubscription<SyncedTicket>(name: "all"))
        }
        #expect(titles(b) == ["roof"])
        let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
        b.subscriptions.update {
            b.subscriptions.removeAll()
        } onComplete: { error in
            continuation.yield(error == nil)
        }
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
        #expect(titles(b) == [])
        let old = b.subscriptions
        try await b.subscriptions.update {
            b.subscriptions.append(QuerySubscription<SyncedTicket>(name: "again"))
        }
        #expect(old.state == .superseded)
    }

    @Test("Initial subscriptions are made once, or each time the file is opened")
    func initialSubscriptions() async throws {
        let first = try await realm("first") {
            $0.initialSubscriptions = { set in
                set.append(QuerySubscription<SyncedTicket>(name: "all"))
            }
        }
        #expect(first.subscriptions.count == 1)
        try await first.syncSession?.wait(for: .download, timeout: 60)
        #expect(first.subscriptions.state == .complete)
        let runs = Guarded(0)
        let each = configuration("each") { configuration in
            configuration.rerunOnOpen = true
            configuration.initialSubscriptions = { set in
                runs.withLock { $0 += 1 }
                set.append(QuerySubscription<SyncedTicket>(name: "all"))
            }
        }
        for _ in 0..<2 {
            try await Task.detached {
                let realm = try Realm(configuration: each)
                #expect(realm.subscriptions.count == 1)
            }.value
        }
        #expect(runs.withLock { $0 } == 2)
    }

    @Test("A write that the server refuses is undone, and the program receives the reason")
    func refused() async throws {
        let refusals = Guarded<[RefusedWrite]>([])
        let a = try await realm("a") { configuration in
            configuration.refusalHandler = { write in refusals.withLock { $0.append(write) } }
        }
        let server = try PostgresConnection(address)
        try server.execute("ALTER TABLE firn.\"SyncedTicket\" ADD CHECK (title <> 'forbidden')")
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        try add(1, "roof", "anna", to: a)
        try add(2, "forbidden", "anna", to: a)
        try add(3, "door", "anna", to: a)
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        try await a.syncSession?.wait(for: .download, timeout: 60)
        #expect(titles(a) == ["roof", "door"])
        let refused = try #require(refusals.withLock { $0.first })
        #expect(refused.objects == ["SyncedTicket 2"])
        #expect(refused.reason.contains("check"))
    }

    /// A wait ended before the last handler had run, so that a program read what it had not
    /// restored yet. The handler takes its time here.
    @Test("A restored server causes a reset that loses nothing, with the state before and after")
    func clientReset() async throws {
        let seen = Guarded<[[String]]>([])
        let a = try await realm("a") { configuration in
            configuration.clientResetMode = .recoverUnsyncedChanges(
                beforeReset: { before in
                    let titles = before.objects(SyncedTicket.self).map(\.title)
                    seen.withLock { $0.append(Array(titles)) }
                },
                afterReset: { before, after in
                    _ = DescriptorWait.readable([], milliseconds: 200)
                    let titles = after.objects(SyncedTicket.self).map(\.title)
                    seen.withLock { $0.append(Array(titles)) }
                    #expect(before.isFrozen && !after.isFrozen)
                })
        }
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        try add(1, "roof", "anna", to: a)
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        let server = try PostgresConnection(address)
        try server.execute(
            "BEGIN; DELETE FROM firn.\"SyncedTicket\"; UPDATE firn.client SET last_seq = 0; "
                + "UPDATE firn.meta SET epoch = gen_random_uuid(); DELETE FROM firn.change; "
                + "DELETE FROM firn.tomb; COMMIT")
        try await a.syncSession?.wait(for: .download, timeout: 60)
        #expect(titles(a) == ["roof"])
        #expect(try server.query("SELECT title FROM firn.\"SyncedTicket\"")[0, 0] == "roof")
        #expect(seen.withLock { $0 } == [["roof"], ["roof"]])
    }

    @Test("In manual mode, a reset stops the session with an error until the program chooses")
    func manualReset() async throws {
        let a = try await realm("a") { $0.clientResetMode = .manual }
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        try add(1, "roof", "anna", to: a)
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        let server = try PostgresConnection(address)
        try server.execute(
            "UPDATE firn.meta SET epoch = gen_random_uuid(); TRUNCATE firn.\"SyncedTicket\"")
        let session = try #require(a.syncSession)
        await expectError(.clientResetRequired) {
            try await session.wait(for: .download, timeout: 60)
        }
        #expect(session.state == .inactive)
        #expect(session.error?.code == .clientResetRequired)
        #expect(titles(a) == ["roof"])
        session.reset(.discardUnsyncedChanges())
        try await session.wait(for: .download, timeout: 60)
        #expect(titles(a) == [])
        #expect(session.state == .active)
    }

    /// A busy server was asked in vain, and the request was forgotten.
    @Test("A reset that the program requests while the server is down is done once it is back")
    func resetWhileOffline() async throws {
        let server = try PostgresServer()
        let there = try server.makeDatabase("reset")
        let a = try await realm("a") { configuration in
            configuration.address = there
            configuration.clientResetMode = .manual
        }
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        try add(1, "roof", "anna", to: a)
        let session = try #require(a.syncSession)
        try await session.wait(for: .upload, timeout: 60)
        try PostgresConnection(there).execute(
            "UPDATE firn.meta SET epoch = gen_random_uuid(); TRUNCATE firn.\"SyncedTicket\"")
        await expectError(.clientResetRequired) {
            try await session.wait(for: .download, timeout: 60)
        }
        try server.crash()
        session.reset(.discardUnsyncedChanges())
        await expectError(.timedOut) { try await session.wait(for: .download, timeout: 1.5) }
        #expect(titles(a) == ["roof"])
        try server.restart()
        try await session.wait(for: .download, timeout: 60)
        #expect(titles(a) == [])
    }

    /// The time of a wait could be over before the wait was registered, which then had no end.
    @Test("Waits with an expired time limit end immediately, and endless waits can be cancelled")
    func times() async throws {
        let a = try await realm("a")
        let session = try #require(a.syncSession)
        session.suspend()
        let times: [Double] = [0, -1, .nan, 0.0001]
        let count = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<2000 {
                group.addTask {
                    do {
                        try await session.wait(for: .upload, timeout: times[index % 4])
                        return false
                    } catch {
                        return Realm.Error.timedOut ~= error
                    }
                }
            }
            var count = 0
            for await isOver in group where isOver { count += 1 }
            return count
        }
        #expect(count == 2000)
        let endless = Task { try await session.wait(for: .upload, timeout: .infinity) }
        endless.cancel()
        await #expect(throws: CancellationError.self) { try await endless.value }
    }

    @Test("A server without the tables is an error until the tables exist")
    func unprepared() async throws {
        let errors = Guarded<[Realm.Error]>([])
        let a = try await Realm(
            configuration: configuration("a") { configuration in
                configuration.errorHandler = { error, _ in errors.withLock { $0.append(error) } }
            })
        let session = try #require(a.syncSession)
        await expectError(.upstreamRefused) {
            _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        }
        #expect(errors.withLock { $0.first }?.message.contains("firn sync init") == true)
        try add(1, "roof", "anna", to: a)
        try a.configuration.syncConfiguration?.prepareServer(for: a)
        try await session.wait(for: .upload, timeout: 60)
        #expect(a.subscriptions.state == .complete)
        #expect(
            try PostgresConnection(address).query("SELECT title FROM firn.\"SyncedTicket\"")[0, 0]
                == "roof")
    }

    @Test("A suspended session exchanges nothing until it is resumed")
    func suspended() async throws {
        let a = try await realm("a")
        _ = try await a.objects(SyncedTicket.self).subscribe(timeout: 60)
        let session = try #require(a.syncSession)
        session.suspend()
        #expect(session.state == .inactive)
        try add(1, "roof", "anna", to: a)
        await expectError(.timedOut) {
            try await session.wait(for: .upload, timeout: 0.3)
        }
        session.resume()
        try await session.wait(for: .upload, timeout: 60)
        #expect(
            try PostgresConnection(address).query("SELECT title FROM firn.\"SyncedTicket\"")[0, 0]
                == "roof")
    }

    @Test("Two configurations of a file with different servers are an error")
    func differentServers() async throws {
        let a = try await realm("a")
        var other = a.configuration
        other.syncConfiguration = nil
        await expectError(.alreadyOpen) { _ = try await Realm(configuration: other) }
        other.syncConfiguration = SyncConfiguration(address: "host=elsewhere")
        await expectError(.alreadyOpen) { _ = try await Realm(configuration: other) }
        #expect(other != a.configuration)
        #expect("\(a.configuration)".contains(address))
    }

    @Test("A password in an address is refused, and the error shows no part of it")
    func password() async throws {
        let a = try await Realm(
            configuration: configuration("a") {
                $0.address = "postgresql://firn:secret@localhost/x"
            })
        await #expect {
            try await a.syncSession?.wait(for: .download, timeout: 60)
        } throws: { error in
            (error as? Realm.Error)?.code == .invalidInput && !"\(error)".contains("secret")
        }
    }

    @Test("A realm that is opened in the background is passed to its callback with its objects")
    func asyncOpen() async throws {
        let a = try await realm("a")
        _ = try await a.objects(SyncedTicket.self).subscribe()
        try add(1, "roof", "anna", to: a)
        try await a.syncSession?.wait(for: .upload, timeout: 60)
        let (titles, continuation) = AsyncStream.makeStream(of: [String].self)
        Realm.asyncOpen(
            configuration: configuration("b") {
                $0.initialSubscriptions = { set in set.append(QuerySubscription<SyncedTicket>()) }
            }
        ) { result in
            let found = (try? result.get())?.objects(SyncedTicket.self).map(\.title)
            continuation.yield(found.map { Array($0) } ?? [])
        }
        var iterator = titles.makeAsyncIterator()
        #expect(await iterator.next() == ["roof"])
    }

    @Test("The thread of a session ends when no realm of the file is in use")
    func ends() async throws {
        let session = WeakSession()
        try await Task.detached { [configuration = configuration("a")] in
            let realm = try Realm(configuration: configuration)
            session.set(realm.syncSession)
            #expect(realm.syncSession?.state == .active)
        }.value
        let deadline = Date().addingTimeInterval(60)
        while !session.isGone, Date() < deadline { await Task.yield() }
        #expect(session.isGone)
    }
}

private final class WeakSession: Sendable {
    private final class Box {
        weak var session: SyncSession?
    }

    private let box = Guarded(Box())

    func set(_ session: SyncSession?) { box.withLock { $0.session = session } }

    var isGone: Bool { box.withLock { $0.session == nil } }
}
