import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnTools

@Suite("Export and recreation of a database")
struct LosslessTests {
    @Test(
        "A recreated database is identical byte for byte, for all types, values and collections",
        arguments: TestScale.seeds(4))
    func ndjson(seed: UInt64) throws {
        let harness = CommandHarness()
        let first = harness.folder("first.firn")
        let creation = try Store.create(first)
        let transaction = try creation.store.beginWrite()
        var objects = RandomObjects(seed: seed)
        try objects.fill(transaction, count: 12)
        _ = try transaction.commit()
        try creation.publish()

        let stream = harness.run(["export", first, "-f", "ndjson"])
        #expect(stream.status == 0, "seed \(seed): \(stream.errors)")
        for command in [["create"], ["write", "--create"]] {
            let second = harness.folder("\(command[0]).firn")
            let words =
                command[0] == "create"
                ? ["create", second, "--from", "-", "-q"]
                : ["write", second, "--create", "-", "-q"]
            let made = harness.run(words, input: stream.output)
            #expect(made.status == 0, "seed \(seed): \(made.errors)")
            let again = harness.run(["export", second, "-f", "ndjson"])
            #expect(again.output == stream.output, "seed \(seed), \(command[0])")
            let check = harness.run(["check", second, "--deep"])
            #expect(check.status == 0, "seed \(seed): \(check.output)")
        }
    }
}
