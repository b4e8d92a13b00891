import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Foundation
import Testing

/// An address book whose model has had four versions.
///
/// Files of each version are fixtures.
@Suite("A program with four versions of its model")
struct ContactsProgramTests {
    private let folder = TemporaryFolder()

    private static let people = """
        1 Ann Berg, 1985, home 123
        2 Bob Lie, unknown, friend 1

        """
    private static let membersOfCircles = """
        1 Ann Berg, 1985, home 123, in chess
        2 Bob Lie, unknown, home 123, friend 1, in chess

        """

    private func contacts() throws -> CommandRunner {
        CommandRunner(try builtExecutable(named: "firn-contacts"))
    }

    private func copy(_ version: Int) throws -> String {
        let path = folder("contacts.firn")
        try FileManager.default.copyItem(
            atPath: Fixtures.path("contacts/v\(version).firn"), toPath: path)
        return path
    }

    private func check(_ path: String) throws {
        let store = try Store.open(path, readOnly: true)
        #expect(try store.snapshot().modelVersion == 4)
        var verifier = Verifier(store, isDeep: true)
        #expect(try verifier.run().findings.map(\.message).isEmpty)
        try store.close()
    }

    @Test("The file of each version migrates to the current one", arguments: 1...4)
    func fixtures(version: Int) throws {
        let path = try copy(version)
        let expected = version == 3 ? Self.membersOfCircles : Self.people
        for _ in 0..<2 {
            let run = try contacts().run([path])
            #expect(run.status == 0 && run.errorText.isEmpty, "\(run)")
            #expect(run.outputText == expected)
        }
        try check(path)
        #expect(folder.names == ["contacts.firn"])
    }

    @Test("Processes that migrate one file at the same time do it once, and all see the result")
    func severalProcesses() throws {
        let path = folder("contacts.firn")
        let filled = try contacts().run([path, "fill", "1", "2000"])
        try #require(filled.status == 0, "\(filled)")
        let program = try builtExecutable(named: "firn-contacts")
        let processes = try (0..<3).map { _ in try PipedProcess(program, [path]) }
        let outputs = processes.map { $0.finish() }
        #expect(outputs.allSatisfy { $0.status == 0 })
        #expect(Set(outputs.map(\.outputText)).count == 1)
        #expect(outputs[0].outputText.hasPrefix("1 Ann Berg, 1985, home 123\n2 Bob Lie,"))
        try check(path)
        // The fill is one commit after the classes, and the migration is one commit.
        let store = try Store.open(path, readOnly: true)
        #expect(try store.snapshot().version.rawValue == 3)
        try store.close()
    }

    @Test(
        "A process that is killed during a migration leaves the file before or after it",
        .timeLimit(.minutes(5)))
    func kills() throws {
        let original = folder("original.firn")
        let filled = try contacts().run([original, "fill", "3", "\(TestScale.scaled(2_000))"])
        try #require(filled.status == 0, "\(filled)")
        let path = folder("contacts.firn")
        let program = try builtExecutable(named: "firn-contacts")
        var states: Set<UInt64> = []
        for number in 0..<24 {
            _ = try Store.deleteFiles(path, services: .real)
            let store = try Store.open(original, readOnly: true)
            _ = try store.copy(try store.snapshot(), to: path)
            try store.close()
            let process = try PipedProcess(program, [path])
            // Later in each round, until the migration is through.
            PipedProcess.receive([process], seconds: 0.02 * Double(number))
            process.kill()
            _ = process.finish()
            let found = try Store.open(path, readOnly: false)
            let snapshot = try found.snapshot()
            let version = snapshot.modelVersion ?? 0
            states.insert(version)
            let person = try #require(snapshot.schema.classNamed("Person"))
            #expect((person.propertyNamed("givenName") != nil) == (version == 4))
            #expect((person.propertyNamed("firstName") != nil) == (version == 3))
            var verifier = Verifier(found, isDeep: true)
            #expect(try verifier.run().findings.map(\.message).isEmpty)
            try found.close()
        }
        #expect(states.isSubset(of: [3, 4]) && states.contains(3), "\(states)")
    }

    @Test("A migration finds what `firn alter` did, and `firn` finds what a migration did")
    func commands() throws {
        let path = try copy(1)
        let firn = CommandRunner(try builtExecutable(named: "firn"))
        let altered = try firn.run(
            ["alter", path, "add Person.shoeSize Int = 40", "retype Person.age String?"])
        try #require(altered.status == 0, "\(altered)")
        // The text in place of a number is not an age for the migration.
        let run = try contacts().run([path])
        #expect(run.outputText.hasPrefix("1 Ann Berg, unknown, home 123\n"), "\(run)")
        let found = try firn.run(["query", path, "Person familyName == \"Berg\" | count", "-r"])
        #expect(found.outputText == "1\n", "\(found)")
        let schema = try firn.run(["schema", path])
        #expect(!schema.outputText.contains("shoeSize"))
        try check(path)
    }
}
