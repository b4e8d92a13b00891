import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Glibc
import Testing

@testable import FirnReplication

/// Six files, each with a program that replicates it, two other programs that write SQL, and faults
/// of all of them at random.
@Suite(
    "Replication under load and faults", .serialized,
    .timeLimit(.minutes(5 + 2 * TestScale.factor)))
struct ReplicationSoakTests {
    private let folder = TemporaryFolder()

    @Test("After a minute of writes, kills, crashes and cuts, all files equal the server")
    func minute() throws {
        let seed = SystemEntropy().random64()
        print("seed \(seed)")
        let soak = try Soak(seed: seed, folder)
        defer { soak.end() }
        try soak.run(seconds: UInt64(TestScale.scaled(60)))
    }
}

private final class Soak {
    private static let queries = [
        ["Person", "City"], ["Person age > 10", "City"], ["Person age == nil OR age < 5", "City"],
        ["Person flag == true", "City"], ["Person name BEGINSWITH 'n1'", "City"], ["City"],
    ]
    private static let total = Value.string("total")

    private final class Member {
        let client: SyncClient
        let proxy: FaultyProxy
        var program: PipedProcess?

        init(_ client: SyncClient, _ proxy: FaultyProxy) {
            self.client = client
            self.proxy = proxy
        }
    }

    private let seed: UInt64
    private var random: SplitMix64
    private let folder: TemporaryFolder
    private let server: PostgresServer
    private let address: String
    private var members: [Member] = []
    private let executable: String
    private var writers: [WorkerThread] = []
    private let hasEnded = Guarded(false)
    private let failures = Guarded([String]())
    private let clock = SystemClock()
    private var counts: [String: Int] = [:]
    /// The increments of the counter in the files.
    private var increments = 0

    init(seed: UInt64, _ folder: TemporaryFolder) throws {
        (self.seed, self.folder) = (seed, folder)
        random = SplitMix64(seed: seed)
        server = try PostgresServer()
        address = try server.makeDatabase("soak")
        executable = try builtExecutable(named: "firn-sync")
        for (index, queries) in Soak.queries.enumerated() {
            let client = try SyncClient(folder("\(index).firn"))
            try client.prepare(address, rules: ["City": ConflictRules(counters: ["size"])])
            let socket = folder("p\(index)")
            guard mkdir(socket, 0o755) == 0 else { throw ProgramError("no folder \(socket)") }
            let proxy = try FaultyProxy(to: address, in: socket)
            try client.attach(proxy.address, queries)
            members.append(Member(client, proxy))
        }
        try PostgresConnection(address).execute(
            "CREATE TABLE counted (id bigint GENERATED ALWAYS AS IDENTITY); "
                + "INSERT INTO firn.\"City\" (name, size) VALUES ('total', 0)")
        for member in members {
            _ = try member.client.upstream.synchronize()
            member.client.upstream.disconnect()
            try start(member)
        }
        for index in 0..<2 { writers.append(try writer(seed &+ UInt64(index))) }
    }

    func end() {
        hasEnded.withLock { $0 = true }
        for writer in writers { writer.join() }
        for member in members {
            member.program?.send(signal: SIGKILL)
            _ = member.program?.finish()
            member.proxy.end()
        }
    }

    private func start(_ member: Member) throws {
        member.program = try PipedProcess(
            executable, ["run", member.client.database.store.path],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
    }

    // MARK: Load

    func run(seconds: UInt64) throws {
        let start = clock.monotonicNanoseconds()
        while clock.monotonicNanoseconds() - start < seconds * 1_000_000_000 {
            try edit(members[Int(random.next() % 6)].client)
            if random.happens(oneIn: 30) { try fault() }
            // After many failures, a program waits for half a minute before it tries again.
            if random.happens(oneIn: 10) {
                members[Int(random.next() % 6)].proxy.set(FaultyProxy.Fault())
            }
            listen(milliseconds: random.next() % 20)
        }
        hasEnded.withLock { $0 = true }
        for writer in writers { writer.join() }
        writers = []
        for failure in failures.withLock({ $0 }) { Issue.record("seed \(seed): \(failure)") }
        for member in members {
            member.proxy.set(FaultyProxy.Fault())
            #expect(member.program?.isTalking == true, "seed \(seed): a program has ended")
        }
        try converge()
        try check()
    }

    /// Waits, and receives what the programs say, so that they need not wait for that.
    private func listen(milliseconds: UInt64) {
        let programs = members.compactMap(\.program)
        PipedProcess.receive(programs, seconds: Double(milliseconds) / 1000)
        for program in programs { _ = program.lines() }
    }

    private func edit(_ client: SyncClient) throws {
        let key = Value.int(Int64(random.next() % 40))
        counts["edits", default: 0] += 1
        switch random.next() % 8 {
        case 0: try client.delete("Person", key)
        case 1, 2: try count(client)
        case 3:
            try client.put(
                "Person", ["id": key, "tags": .list([.string("t\(random.next() % 9)")])])
        default:
            try client.put(
                "Person",
                [
                    "id": key, "age": random.happens(oneIn: 5) ? .null : .int(number()),
                    "name": .string("n\(number())"), "flag": .bool(number() > 9),
                ])
        }
    }

    private func number() -> Int64 { Int64(random.next() % 20) }

    /// In one transaction: the program of the file may write between the reading and the writing.
    private func count(_ client: SyncClient) throws {
        if try client.increment("City", Soak.total, "size") { increments += 1 }
    }

    /// Another program, which connects again when the server is gone.
    private func writer(_ seed: UInt64) throws -> WorkerThread {
        let (address, hasEnded, failures) = (address, hasEnded, failures)
        return try WorkerThread {
            var random = SplitMix64(seed: seed)
            var connection: PostgresConnection?
            while !hasEnded.withLock({ $0 }) {
                _ = DescriptorWait.readable([], milliseconds: Int32(random.next() % 30))
                do throws(UpstreamError) {
                    if connection == nil { connection = try PostgresConnection(address) }
                    try connection?.execute(Soak.statement(&random))
                } catch {
                    connection = nil
                    // 57P..: the server is ended or starts.
                    guard error.isTransient || error.state?.hasPrefix("57P") == true else {
                        failures.withLock { $0.append("\(error)") }
                        return
                    }
                }
            }
        }
    }

    private static func statement(_ random: inout SplitMix64) -> String {
        let (id, number) = (random.next() % 40, random.next() % 20)
        switch random.next() % 6 {
        case 0: return "DELETE FROM firn.\"Person\" WHERE id = \(id)"
        case 1, 2:
            return "BEGIN; INSERT INTO counted DEFAULT VALUES; "
                + "UPDATE firn.\"City\" SET size = size + 1 WHERE name = 'total'; COMMIT"
        case 3:
            return "UPDATE firn.\"Person\" SET flag = NOT flag, tags = tags || 's'::text "
                + "WHERE id % 7 = \(id % 7)"
        default:
            return
                "INSERT INTO firn.\"Person\" (id, age, name) VALUES (\(id), \(number), 'n\(number)') "
                + "ON CONFLICT (id) DO UPDATE SET age = excluded.age"
        }
    }

    // MARK: Faults

    private func fault() throws {
        let member = members[Int(random.next() % 6)]
        switch random.next() % 8 {
        case 0, 1, 2:
            counts["killed programs", default: 0] += 1
            member.program?.send(signal: SIGKILL)
            _ = member.program?.finish()
            try start(member)
        case 3, 4:
            counts["cut connections", default: 0] += 1
            let limit = Int(random.next() % 3000)
            member.proxy.set(
                random.happens(oneIn: 2)
                    ? FaultyProxy.Fault(toServer: limit) : FaultyProxy.Fault(toClient: limit))
        case 5:
            counts["slow connections", default: 0] += 1
            member.proxy.set(FaultyProxy.Fault(delayMilliseconds: Int32(random.next() % 30)))
        case 6: try killBackend()
        default:
            guard random.happens(oneIn: 3) else { return }
            counts["crashed servers", default: 0] += 1
            try server.crash()
            try edit(member.client)
            try server.restart()
        }
    }

    /// Kills a process of the server, which then ends all others and recovers.
    private func killBackend() throws {
        do throws(UpstreamError) {
            let rows = try PostgresConnection(address).query(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'firn' "
                    + "AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1")
            guard rows.count == 1, let pid = rows[0, 0].flatMap(Int32.init) else { return }
            counts["killed backends", default: 0] += 1
            kill(pid, SIGKILL)
        } catch {
            // The server may still recover from the fault before.
            guard error.isTransient else { throw error }
        }
    }

    // MARK: Checks

    /// Waits until the programs have made all files equal to the server.
    private func converge() throws {
        let start = clock.monotonicNanoseconds()
        func seconds() -> UInt64 { (clock.monotonicNanoseconds() - start) / 1_000_000_000 }
        while try !members.allSatisfy({ try isEqual($0.client) }), seconds() < 60 {
            listen(milliseconds: 100)
        }
        print("seed \(seed): equal after \(seconds()) s, \(counts), \(increments) increments")
        for (index, member) in members.enumerated() where try !isEqual(member.client) {
            let upstream = member.client.upstream
            Issue.record(
                """
                seed \(seed), file \(index): \(try upstream.pendingCount()) changes were not sent, \
                \(try upstream.verify().filter { !$0.isEqual }), \(try upstream.record())
                """)
        }
        for member in members {
            member.program?.send(signal: SIGINT)
            _ = member.program?.finish()
            member.program = nil
        }
    }

    private func isEqual(_ client: SyncClient) throws -> Bool {
        do throws(UpstreamError) {
            guard try client.upstream.pendingCount() == 0 else { return false }
            return try client.upstream.verify().allSatisfy(\.isEqual)
        } catch {
            guard error.isTransient else { throw error }
            client.upstream.disconnect()
            return false
        }
    }

    private func check() throws {
        let connection = try PostgresConnection(address)
        let rows = try connection.query(
            "SELECT size, (SELECT count(*) FROM counted) FROM firn.\"City\" WHERE name = 'total'")
        let (size, counted) = (rows[0, 0].flatMap(Int.init), rows[0, 1].flatMap(Int.init))
        #expect(try size == increments + present(counted), "seed \(seed)")
        for member in members {
            let client = member.client
            #expect(
                try client.value("City", Soak.total, "size") == size.map { .int(Int64($0)) },
                "seed \(seed)")
            var verifier = Verifier(
                try Store.open(client.database.store.path, readOnly: true), isDeep: true)
            #expect(try verifier.run().findings.isEmpty, "seed \(seed)")
        }
        // The log of changes does not outlive the time for which it is kept.
        try connection.execute(
            "UPDATE firn.change SET at = at - interval '31 days'; "
                + "UPDATE firn.tomb SET at = at - interval '31 days'")
        try connection.query("SELECT firn.prune()")
        let left = try connection.query(
            "SELECT (SELECT count(*) FROM firn.change) + (SELECT count(*) FROM firn.tomb)")
        #expect(left[0, 0] == "0", "seed \(seed)")
    }
}
