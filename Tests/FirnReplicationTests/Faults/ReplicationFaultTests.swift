import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Glibc
import Testing

@testable import FirnReplication

/// Connections that end at any byte, servers that crash, and programs that are killed.
@Suite(
    "Replication in trouble", .serialized,
    .timeLimit(.minutes(5 + 5 * TestScale.factor)))
struct ReplicationFaultTests {
    private let folder = TemporaryFolder()

    private func expectEqual(_ client: SyncClient, _ note: String) throws {
        for comparison in try client.upstream.verify() {
            #expect(comparison.isEqual, "\(note): \(comparison)")
        }
        #expect(try client.upstream.pendingCount() == 0, "\(note)")
    }

    private func change(_ client: SyncClient, _ number: Int) throws {
        try client.put(
            "Person", ["id": .int(Int64(number % 7)), "age": .int(Int64(number))])
        try client.put(
            "Person",
            ["id": .int(Int64(100 + number)), "tags": .list([.string("n\(number)")])])
        if number % 3 == 0 { try client.delete("Person", .int(Int64(99 + number))) }
        _ = try client.increment("City", Self.total, "size")
    }

    /// The key of a counter of all changes, which are lost or repeated if it is not exact.
    private static let total = Value.string("total")

    private func prepare(_ client: SyncClient, _ address: String) throws {
        try client.prepare(address, rules: ["City": ConflictRules(counters: ["size"])])
    }

    private func beginCounting(_ client: SyncClient) throws {
        try client.put("City", ["name": Self.total, "size": .int(0)])
    }

    private func expectTotal(_ count: Int, _ address: String, _ note: String) throws {
        let size = try PostgresConnection(address).query(
            "SELECT size FROM firn.\"City\" WHERE name = 'total'")
        #expect(size[0, 0] == String(count), "\(note)")
    }

    /// The first connection sends some 25 KB and receives some 10 KB.
    @Test(
        "A connection that is cut after any byte neither loses nor repeats anything",
        arguments: [true, false])
    func cuts(request: Bool) throws {
        let server = try PostgresServer.shared.get()
        let address = try server.makeDatabase("cuts")
        let proxy = try FaultyProxy(to: address, in: folder.path)
        defer { proxy.end() }
        let (a, b) = (try SyncClient(folder("a.firn")), try SyncClient(folder("b.firn")))
        try prepare(a, address)
        try beginCounting(a)
        try a.attach(proxy.address, ["Person", "City"])
        try b.attach(address, ["Person", "City"])
        _ = try a.upstream.synchronize()
        try change(a, 0)
        a.upstream.connection = nil
        proxy.set(FaultyProxy.Fault())
        _ = try a.upstream.synchronize()
        let total = request ? proxy.carried.toServer : proxy.carried.toClient
        let step = max(1, total / (250 * TestScale.factor))
        var (number, interruptions) = (1, 0)
        for limit in stride(from: 0, to: total, by: step) {
            try change(a, number)
            a.upstream.connection = nil
            proxy.set(
                request ? FaultyProxy.Fault(toServer: limit) : FaultyProxy.Fault(toClient: limit))
            do throws(UpstreamError) {
                _ = try a.upstream.synchronize()
            } catch {
                #expect(error.isTransient, "cut after \(limit): \(error)")
                interruptions += 1
            }
            number += 1
            proxy.set(FaultyProxy.Fault())
            if number % 4 == 0 {
                _ = try a.upstream.synchronize()
                _ = try b.upstream.synchronize()
                try expectEqual(a, "cut after \(limit)")
                try expectEqual(b, "cut after \(limit)")
            }
        }
        #expect(interruptions > 20)
        _ = try a.upstream.synchronize()
        try expectEqual(a, "at the end")
        try expectTotal(number, address, "at the end")
        let last = try a.upstream.record().lastAcknowledged
        let stored = try PostgresConnection(address).query("SELECT max(last_seq) FROM firn.client")
        #expect(stored[0, 0] == String(last))
    }

    @Test("A server that stops answering counts as lost after a while")
    func stalls() throws {
        let address = try PostgresServer.shared.get().makeDatabase("stalls")
        let proxy = try FaultyProxy(to: address, in: folder.path)
        defer { proxy.end() }
        let a = try SyncClient(folder("a.firn"))
        try a.prepare(address)
        try a.attach(proxy.address, ["Person", "City"])
        _ = try a.upstream.synchronize()
        try change(a, 1)
        a.upstream.connection?.answerTimeoutMilliseconds = 300
        proxy.set(FaultyProxy.Fault(toClient: 0, stalls: true))
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.code == .unreachable)
        proxy.set(FaultyProxy.Fault())
        #expect(try a.upstream.synchronize().pushed > 0)
        try expectEqual(a, "after the stall")
    }

    /// Sending waited without end, and without asking whether the program should stop.
    @Test("A server that no longer receives counts as lost, and Ctrl-C ends the wait for it")
    func deafServer() throws {
        let address = try PostgresServer.shared.get().makeDatabase("stalls")
        let proxy = try FaultyProxy(to: address, in: folder.path)
        defer { proxy.end() }
        let stopped = Guarded(false)
        let a = try SyncClient(folder("a.firn"))
        let upstream = Upstream(a.database) { stopped.withLock { $0 } }
        try a.prepare(address)
        try upstream.attach(proxy.address, client: UUID(high: 1, low: 9))
        try a.subscribe(["Person"])
        _ = try upstream.synchronize()
        // More than the buffers of the sockets hold.
        let text = String(repeating: "x", count: 4 << 20)
        try a.put("Person", ["id": .int(1), "name": .string(text)])
        upstream.connection?.answerTimeoutMilliseconds = 500
        proxy.set(FaultyProxy.Fault(isDeaf: true))
        let lost = #expect(throws: UpstreamError.self) { try upstream.synchronize() }
        #expect(lost?.code == .unreachable)
        proxy.set(FaultyProxy.Fault())
        let connection = try upstream.connected()
        connection.interruption = { sql, isDone in
            // From the statement with the text on.
            guard sql.hasPrefix("INSERT INTO firn.\"Person\""), !isDone else { return false }
            proxy.set(FaultyProxy.Fault(isDeaf: true))
            stopped.withLock { $0 = true }
            return false
        }
        let start = SystemClock().monotonicNanoseconds()
        let ended = #expect(throws: UpstreamError.self) { try upstream.synchronize() }
        #expect(ended?.code == .stopped)
        #expect(SystemClock().monotonicNanoseconds() - start < 20_000_000_000)
        stopped.withLock { $0 = false }
        proxy.set(FaultyProxy.Fault())
        #expect(try upstream.synchronize().pushed == 1)
        #expect(try upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A server that accepts connections and never answers counts as unreachable")
    func silentServer() throws {
        let address = try PostgresServer.shared.get().makeDatabase("stalls")
        let proxy = try FaultyProxy(to: address, in: folder.path)
        defer { proxy.end() }
        proxy.set(FaultyProxy.Fault(toClient: 0, stalls: true))
        let start = SystemClock().monotonicNanoseconds()
        let error = #expect(throws: UpstreamError.self) { try PostgresConnection(proxy.address) }
        #expect(error?.code == .unreachable, "\(error?.detail ?? "")")
        #expect(SystemClock().monotonicNanoseconds() - start < 30_000_000_000)
    }

    @Test("A slow connection exchanges everything")
    func slowConnection() throws {
        let address = try PostgresServer.shared.get().makeDatabase("stalls")
        let proxy = try FaultyProxy(to: address, in: folder.path)
        defer { proxy.end() }
        let a = try SyncClient(folder("a.firn"))
        try prepare(a, address)
        try beginCounting(a)
        proxy.set(FaultyProxy.Fault(delayMilliseconds: 15))
        try a.attach(proxy.address, ["Person", "City"])
        for number in 1...10 {
            try change(a, number)
            if number % 3 == 0 { _ = try a.upstream.synchronize() }
        }
        _ = try a.upstream.synchronize()
        try expectEqual(a, "slow")
        try expectTotal(10, address, "slow")
    }

    @Test("A server that crashes repeatedly keeps every transaction that it acknowledged")
    func crashes() throws {
        let server = try PostgresServer()
        let address = try server.makeDatabase("crashes")
        let clients = try ["a", "b", "c"].map { name in
            let client = try SyncClient(folder(name + ".firn"))
            try prepare(client, address)
            try client.attach(address, ["Person", "City"])
            if name == "a" { try beginCounting(client) }
            _ = try client.upstream.synchronize()
            return client
        }
        let seed = SystemEntropy().random64()
        var random = SplitMix64(seed: seed)
        var number = 1
        for _ in 0..<(200 * TestScale.factor) {
            for client in clients {
                try change(client, number)
                number += 1
            }
            // The crash falls between any two statements of one of the files.
            let victim = clients[Int(random.next() % 3)]
            var rest = 1 + Int(random.next() % 40)
            _ = try? victim.upstream.connected()
            victim.upstream.connection?.interruption = { _, _ in
                rest -= 1
                if rest == 0 { try? server.crash() }
                return false
            }
            for client in clients {
                do throws(UpstreamError) { _ = try client.upstream.synchronize() } catch {
                    #expect(error.isTransient, "seed \(seed): \(error)")
                }
            }
            victim.upstream.connection?.interruption = nil
            if rest <= 0 { try server.restart() }
        }
        for client in clients {
            client.upstream.disconnect()
            _ = try client.upstream.synchronize()
        }
        for client in clients {
            _ = try client.upstream.synchronize()
            try expectEqual(client, "seed \(seed)")
        }
        #expect(try clients[0].keys("Person") == clients[1].keys("Person"))
        try expectTotal(number - 1, address, "seed \(seed)")
    }

    /// A process that was about to send mistook the batch of the other one for that of a copy.
    @Test("Programs that replicate the same file simultaneously lose and repeat nothing")
    func twoPrograms() throws {
        let address = try PostgresServer.shared.get().makeDatabase("kills")
        let executable = try builtExecutable(named: "firn-sync")
        let path = folder("a.firn")
        let a = try SyncClient(path)
        try prepare(a, address)
        try beginCounting(a)
        try a.attach(address, ["Person", "City"])
        let programs = try (0..<2).map { _ in
            try PipedProcess(
                executable, ["run", path],
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
        }
        let count = 40 * TestScale.factor
        for number in 1...count {
            try change(a, number)
            guard number % 3 == 0 else { continue }
            do throws(UpstreamError) { _ = try a.upstream.synchronize() } catch {
                #expect(error.isTransient, "\(error)")
            }
        }
        for program in programs {
            #expect(program.isTalking, "the program goes on")
            program.send(signal: SIGINT)
            _ = program.finish()
        }
        _ = try a.upstream.synchronize()
        try expectEqual(a, "at the end")
        try expectTotal(count, address, "at the end")
    }

    /// The operations of a cycle: sending to the server, receiving, writing the file, syncing it.
    private static let calls = "sendto,recvfrom,pwrite64,fsync,fdatasync"

    @Test(
        "A program that is killed at any send, receive, write or sync resumes where it was",
        .enabled(if: CommandRunner.hasStrace, "strace is not installed"))
    func killsAtOperations() throws {
        let address = try PostgresServer.shared.get().makeDatabase("kills")
        let executable = try builtExecutable(named: "firn-sync")
        let path = folder("a.firn")
        let a = try SyncClient(path)
        try prepare(a, address)
        try beginCounting(a)
        try a.attach(address, ["Person", "City"])
        let runner = CommandRunner("/usr/bin/strace")
        func run(_ options: String...) throws -> CommandResult {
            try runner.run(
                ["-f", "-qq", "-e", "trace=\(Self.calls)"] + options
                    + [executable, "run", path, "--once"])
        }
        try change(a, 1)
        let log = folder("calls")
        #expect(try run("-o", log).status == 0)
        let lines = try CommandRunner("/bin/cat").run([log]).outputText.split(separator: "\n")
        var (number, killed) = (1, 0)
        for call in Self.calls.split(separator: ",") {
            let count = lines.count { $0.contains(" \(call)(") }
            for operation in stride(
                from: 1, through: count, by: max(1, count / (120 * TestScale.factor)))
            {
                number += 1
                try change(a, number)
                let result = try run(
                    "-o", "/dev/null", "-e", "inject=\(call):signal=KILL:when=\(operation)")
                if result.signal == SIGKILL { killed += 1 }
            }
        }
        #expect(killed > 10)
        #expect(try CommandRunner(executable).run(["run", path, "--once"]).status == 0)
        try expectEqual(a, "after \(killed) kills")
        try expectTotal(number, address, "after \(killed) kills")
        var verifier = Verifier(try Store.open(path, readOnly: true), isDeep: true)
        #expect(try verifier.run().findings.isEmpty)
    }

    @Test("A program that is killed at any moment resumes where it was")
    func kills() throws {
        let address = try PostgresServer.shared.get().makeDatabase("kills")
        let executable = try builtExecutable(named: "firn-sync")
        let path = folder("a.firn")
        let a = try SyncClient(path)
        try prepare(a, address)
        try beginCounting(a)
        try a.attach(address, ["Person", "City"])
        let runner = CommandRunner(executable)
        let started = SystemClock().monotonicNanoseconds()
        #expect(try runner.run(["run", path, "--once"]).status == 0)
        let span = SystemClock().monotonicNanoseconds() - started
        let seed = SystemEntropy().random64()
        var random = SplitMix64(seed: seed)
        for number in 1...(30 * TestScale.factor) {
            try change(a, number)
            let process = try PipedProcess(
                executable, ["run", path, "--once"],
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
            // Within the time that an undisturbed run takes.
            let delay = random.next() % max(1, span)
            _ = DescriptorWait.readable([], milliseconds: Int32(delay / 1_000_000))
            kill(process.pid, SIGKILL)
        }
        #expect(try runner.run(["run", path, "--once"]).status == 0)
        try expectEqual(a, "seed \(seed)")
        try expectTotal(30 * TestScale.factor, address, "seed \(seed)")
        let store = try Store.open(path, readOnly: true)
        var verifier = Verifier(store, isDeep: true)
        #expect(try verifier.run().findings.isEmpty, "seed \(seed)")
    }
}

extension CommandRunner {
    /// Whether system calls can be chosen.
    fileprivate static var hasStrace: Bool { access("/usr/bin/strace", X_OK) == 0 }
}
