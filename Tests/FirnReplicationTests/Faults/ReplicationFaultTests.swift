import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Glibc
import Testing

@testable import FirnReplication

/// Connections that end at any byte, servers that crash, and programs that are killed.
@Suite("Replication in trouble", .serialized)
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
    }

    /// The first connection sends some 25 KB and receives some 10 KB.
    @Test(
        "A connection that is cut after any byte loses and repeats nothing",
        arguments: [true, false])
    func cuts(request: Bool) throws {
        let server = try PostgresServer.shared.get()
        let address = try server.makeDatabase("cuts")
        let proxy = try FaultyProxy(to: address, in: folder.path)
        defer { proxy.end() }
        let (a, b) = (try SyncClient(folder("a.firn")), try SyncClient(folder("b.firn")))
        try a.prepare(address)
        try a.attach(proxy.address, ["Person", "City"])
        try b.attach(address, ["Person", "City"])
        _ = try a.upstream.synchronize()
        try change(a, 0)
        a.upstream.connection = nil
        proxy.set(FaultyProxy.Fault())
        _ = try a.upstream.synchronize()
        let total = request ? proxy.carried.toServer : proxy.carried.toClient
        let step = max(1, total / (60 * TestScale.factor))
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

    @Test("A server that crashes again and again keeps every transaction that it acknowledged")
    func crashes() throws {
        let server = try PostgresServer()
        let address = try server.makeDatabase("crashes")
        let clients = try ["a", "b", "c"].map { name in
            let client = try SyncClient(folder(name + ".firn"))
            try client.prepare(address)
            try client.attach(address, ["Person", "City"])
            return client
        }
        let seed = SystemEntropy().random64()
        var random = SplitMix64(seed: seed)
        var number = 1
        for _ in 0..<(8 * TestScale.factor) {
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
    }

    @Test("A program that is killed at any moment goes on where it was")
    func kills() throws {
        let address = try PostgresServer.shared.get().makeDatabase("kills")
        let executable = try builtExecutable(named: "firn-sync")
        let path = folder("a.firn")
        let a = try SyncClient(path)
        try a.prepare(address)
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
        let store = try Store.open(path, readOnly: true)
        var verifier = Verifier(store, isDeep: true)
        #expect(try verifier.run().findings.isEmpty, "seed \(seed)")
    }
}
