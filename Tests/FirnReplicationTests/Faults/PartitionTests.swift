import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Two machines whose cable is cut.
@Suite(
    "Partitions of a network", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: NetworkNamespace.isAvailable, "network namespaces cannot be made here"))
struct PartitionTests {
    private let folder = TemporaryFolder()

    @Test("A cut is detected within half a minute, and changes made meanwhile arrive afterwards")
    func cut() throws {
        let network = try NetworkNamespace()
        let server = try PostgresServer()
        let remote = try server.expose(on: network.address) + " dbname=cut"
        let local = try server.makeDatabase("cut")
        let client = try SyncClient(folder("a.firn"))
        try client.prepare(local)
        try client.attach(remote, ["City"])
        let observer = try PostgresConnection(local)
        func wait(for city: String, seconds: Double) throws {
            let clock = SystemClock()
            let end = clock.monotonicNanoseconds() + UInt64(seconds * 1e9)
            while try observer.query(
                "SELECT 1 FROM firn.\"City\" WHERE name = $1", [city]
            ).count == 0 {
                guard clock.monotonicNanoseconds() < end else {
                    throw ProgramError("\(city) did not arrive")
                }
                _ = DescriptorWait.readable([], milliseconds: 20)
            }
        }
        let program = try network.start(
            try builtExecutable(named: "firn-sync"), ["run", folder("a.firn")])
        try client.put("City", ["name": .string("before"), "size": .int(1)])
        try wait(for: "before", seconds: 60)
        try network.setConnected(false)
        try client.put("City", ["name": .string("during"), "size": .int(1)])
        let start = SystemClock().monotonicNanoseconds()
        var line = ""
        while !line.contains("offline") { line = try program.line(seconds: 60) }
        let seconds = Double(SystemClock().monotonicNanoseconds() - start) / 1e9
        // 15 s until unacknowledged data counts as lost, and the time of one poll.
        #expect(seconds < 30, "\(line)")
        #expect(try client.keys("City") == ["before", "during"])
        try client.put("City", ["name": .string("later"), "size": .int(1)])
        try network.setConnected(true)
        try wait(for: "later", seconds: 60)
        try wait(for: "during", seconds: 1)
        program.kill()
        _ = program.finish()
        try client.upstream.move(to: local)
        // The server may still be busy with the connection of the killed program.
        try untilQuiet { () throws(UpstreamError) in _ = try client.upstream.synchronize() }
        #expect(try client.upstream.verify().allSatisfy(\.isEqual))
    }
}
