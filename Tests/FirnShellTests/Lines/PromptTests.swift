import FirnTools
import Testing

@testable import FirnShell

@Suite struct PromptTests {
    let harness = ShellHarness()

    @Test func `Every state has its prompt`() {
        var prompt = Prompt()
        #expect(prompt.text == "firn> ")
        prompt.database = "app"
        #expect(prompt.text == "app> ")
        prompt.className = "Person"
        #expect(prompt.text == "app Person> ")
        prompt.refinement = Prompt.Refinement(className: "Person", depth: 2, rowCount: 1204)
        #expect(prompt.text == "app Person (1,204 rows, step 2)> ")
        prompt.refinement?.isCut = true
        #expect(prompt.text == "app Person (1,204+ rows, step 2)> ")
        prompt.refinement = Prompt.Refinement(className: "Person", depth: 3, rowCount: 1)
        #expect(prompt.text == "app Person (1 row, step 3)> ")
        prompt = Prompt(database: "app", transaction: .open(changes: 0))
        #expect(prompt.text == "app (transaction)> ")
        prompt.transaction = .open(changes: 3)
        #expect(prompt.text == "app (transaction, 3 changes)> ")
        prompt.transaction = .failed
        #expect(prompt.text == "app (failed transaction)> ")
        #expect(Prompt(database: "app", frozen: "40").text == "app (at version 40)> ")
        #expect(
            Prompt(database: "app", frozen: "before-import").text == "app (at before-import)> ")
        #expect(Prompt(database: "app", isReadOnly: true).text == "app (read-only)> ")
        #expect(Prompt(database: "app", observerCount: 2).text == "app (2 observers)> ")
    }

    @Test func `A narrow window omits the least important parts`() {
        var prompt = Prompt(database: "app", className: "Person")
        prompt.refinement = Prompt.Refinement(className: "Person", depth: 2, rowCount: 204)
        #expect(prompt.text(columns: 80) == "app Person (204 rows, step 2)> ")
        #expect(prompt.text(columns: 44) == "app Person (step 2)> ")
        #expect(prompt.text(columns: 40) == "app (step 2)> ")
        #expect(prompt.text(columns: 10) == "app (step 2)> ")
        #expect(prompt.text(columns: nil) == "app Person (204 rows, step 2)> ")
    }

    @Test(.tags(.security)) func `A name cannot move the cursor`() {
        #expect(!Prompt(database: "a\u{1B}[2J").text.contains("\u{1B}"))
        #expect(Prompt.name(of: "/srv/app.firn") == "app")
        #expect(Prompt.name(of: "data.db") == "data.db")
        #expect(Prompt.name(of: ".firn") == ".firn")
    }

    @Test func `An interactive session shows its state`() throws {
        let file = try harness.makePeople()
        let run = harness.talk(
            ".use Person", "age > 30", "| city == 'Oslo'", ".back", ".begin",
            "age > 50 | set age = 1",
            ".insert Person [{\"id\":1,\"name\":\"Ed\",\"age\":2,\"city\":\"Oslo\"},{\"id\":7}]",
            ".cancel", ".use -", "Person (",
            "age > 30", ") |", "city == 'a", "b'", ".freeze old", ".at old", ".at head", on: file)
        #expect(
            run.prompts == [
                "people> ", "people Person> ", "people Person> ",
                "people Person (2 rows, step 2)> ", "people Person> ",
                "people Person (transaction)> ", "people Person (transaction, 1 change)> ",
                "people Person (failed transaction)> ",
                "people Person> ", "people> ", "  (> ", "  (> ", "  |> ", "  '> ", "people> ",
                "people> ", "people (at old)> ", "people> ",
            ])
    }

    @Test func `The prompt marks a database that is opened read-only`() throws {
        var harness = harness
        let file = try harness.makePeople()
        harness.invocation.isReadOnly = true
        let run = harness.talk("Person | delete", ".begin", on: file)
        #expect(run.prompts.first == "people (read-only)> ")
        #expect(run.errors.contains("error: the database is open read-only\n"))
    }
}
