import FirnTesting
import Testing

/// Programs that use the object API, from the same build.
@Suite("Programs written for Realm")
struct ExampleProgramTests {
    private let folder = TemporaryFolder()

    private func run(_ program: String, input: String = "") throws -> String {
        let runner = CommandRunner(try builtExecutable(named: program))
        let run = try runner.run([folder("a.firn")], input: input)
        #expect(run.status == 0 && run.errorText.isEmpty, "\(run)")
        return run.outputText
    }

    private func query(_ words: String...) throws -> String {
        let firn = CommandRunner(try builtExecutable(named: "firn"))
        let run = try firn.run(["query", folder("a.firn")] + words, input: "")
        #expect(run.status == 0, "\(run)")
        return run.outputText
    }

    @Test("The kennel example shows people and dogs through projections, and changes them")
    func kennel() throws {
        let first = try run("firn-kennel")
        #expect(
            first == """
                John DOE of nowhere, friends: Jane, dogs: Rex
                Jane POE of Oslo, friends: , dogs: Rex, Fifi
                Fifi, poodle, of Jane Poe
                Rex, husky, of Jane Poe and John Doe
                Stray, mixed, of 
                without an owner: ["Stray"]
                of Oslo: 2
                heaviest: 24.5
                Jon and Janne of Oslo
                dogs left: 0
                kept them: 3 dogs
                before: ["Rex", "Fifi"] now: ["Stray", "Rex", "Fifi"]
                stray is gone: true, dogs: ["Rex", "Fifi"]

                """)
        // The second time the people exist already, as the first run left them.
        let second = try run("firn-kennel")
        #expect(
            second.hasPrefix(
                """
                Jon DOE of Oslo, friends: Janne, dogs: Rex
                Janne POE of Oslo, friends: , dogs: Rex, Fifi

                """), "\(second)")
        #expect(try query("Dog breed == \"husky\"", "-s", "name", "-r") == "Rex\n")
        #expect(try query("Person address.city == \"Oslo\"", "--count", "-r") == "2\n")
    }

    @Test("The address book example keeps addresses in groups, and finds, changes and deletes them")
    func addressBook() throws {
        let shown = try run(
            "firn-address-book",
            input: """
                add|ann@a.org|Ann Berg|Work
                add|bob@b.org|Bob Aas|Work
                add|eva@e.org|Éva Lie|Family
                add|ane@a.org|Ane Dal
                phone|ann@a.org|home|123
                phone|ann@a.org|car|456
                tag|bob@b.org|chess|go|chess
                note|eva@e.org|met in ANNECY
                show
                groups
                search|ann
                search|EVA
                search|go
                add|bob@b.org|Robert Aas|Family
                phone|nobody@x.org|home|1
                note|eva@e.org
                delete|ann@a.org
                dance
                groups
                show

                """)
        #expect(
            shown == """
                A
                    Ane Dal <ane@a.org>
                    Ann Berg <ann@a.org>; car 456, home 123; in Work
                B
                    Bob Aas <bob@b.org>; #chess #go; in Work
                É
                    Éva Lie <eva@e.org>; met in ANNECY; in Family
                4 contacts
                Family: Éva Lie
                Work: Ann Berg, Bob Aas
                Éva Lie <eva@e.org>; met in ANNECY; in Family
                Ann Berg <ann@a.org>; car 456, home 123; in Work
                Éva Lie <eva@e.org>; met in ANNECY; in Family
                Bob Aas <bob@b.org>; #chess #go; in Work
                nobody has the address nobody@x.org
                what is: dance
                Family: Robert Aas, Éva Lie
                Work: Robert Aas
                A
                    Ane Dal <ane@a.org>
                R
                    Robert Aas <bob@b.org>; #chess #go; in Family, Work
                É
                    Éva Lie <eva@e.org>; in Family
                3 contacts

                """)
        #expect(try query("Contact", "--count", "-r") == "3\n")
        // Another run of the program continues with the same book.
        #expect(try run("firn-address-book", input: "search|robert\n").hasPrefix("Robert Aas"))
    }
}
