import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools
import NIOHTTP1
import Testing

@testable import FirnServe

@Suite("Commands that answer requests")
struct ServedCommandTests {
    private let folder = TemporaryFolder()
    private let clock = SimulatedClock()

    private func files() throws -> ServedFiles {
        let file = folder("people.firn")
        try Fixtures.write("id,age\n1,5\n2,6\n", to: folder("people.csv"))
        try TestServer.run(
            [
                "create", file, "--from", folder("people.csv"), "--class", "Person", "--key", "id",
                "-q",
            ])
        let real = SystemServices.real
        let services = SystemServices(
            files: real.files, clock: clock, entropy: real.entropy, bootIdentity: real.bootIdentity)
        return try ServedFiles(
            [file],
            CommandEnvironment(
                services: services, input: MemorySource([]), output: MemorySink(),
                errors: MemorySink()), StoreOptions())
    }

    /// The report of a commit was lost to the time limit, and its idempotency key with it: a client
    /// that repeated the request, as it should, changed everything twice.
    @Test("The time limit of a write does not apply after its commit")
    func afterCommit() throws {
        let files = try files()
        let sink = MemorySink()
        var command = ServedCommand(
            words: [
                "write", files.files[0].path, "--returning", "-x", "Person | set age = age + 1",
            ], timeNanoseconds: 1_000_000_000)
        command.noteCommit = { [clock] in clock.sleep(nanoseconds: 3_600_000_000_000) }
        try command.run(files, to: sink) { false }
        #expect(sink.text == "{\"id\":1,\"age\":6}\n{\"id\":2,\"age\":7}\n")
    }

    @Test("A query that takes too long is stopped, and the error states its time limit")
    func slowQuery() throws {
        let files = try files()
        let clock = clock
        let command = ServedCommand(
            words: ["query", files.files[0].path, "Person SORT(age)"],
            timeNanoseconds: 5_000_000_000)
        let failure = #expect(throws: Problem.self) {
            try command.run(files, to: MemorySink()) {
                clock.sleep(nanoseconds: 6_000_000_000)
                return false
            }
        }
        #expect(failure?.status == .gatewayTimeout)
        #expect(failure?.diagnostic.message == "gave up after 5 s")
    }

    @Test("A write whose time expires before its commit changes nothing")
    func beforeCommit() throws {
        let files = try files()
        let clock = clock
        let command = ServedCommand(
            words: ["write", files.files[0].path, "-x", "Person | set age = 0"],
            timeNanoseconds: 1_000_000_000)
        let failure = #expect(throws: Problem.self) {
            try command.run(files, to: MemorySink()) {
                clock.sleep(nanoseconds: 2_000_000_000)
                return false
            }
        }
        #expect(failure?.status == .gatewayTimeout)
        let output = try TestServer.run(["query", files.files[0].path, "Person age == 0 | count"])
        #expect(output == "{\"count\":0}\n")
    }
}
