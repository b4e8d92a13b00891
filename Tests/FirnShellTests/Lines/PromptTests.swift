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
        prompt.refinement = Prompt.Refinement(className: "Person", depth: 2, rowCount: 204)
        #expect(prompt.text == "app Person[2:204]> ")
        prompt = Prompt(database: "app", transaction: .open(changes: 0))
        #expect(prompt.text == "app*> ")
        prompt.transaction = .open(changes: 3)
        #expect(prompt.text == "app*3> ")
        prompt.transaction = .failed
        #expect(prompt.text == "app!> ")
        #expect(Prompt(database: "app", frozen: "40").text == "app@40> ")
        #expect(Prompt(database: "app", frozen: "before-import").text == "app@before-import> ")
        #expect(Prompt(database: "app", isReadOnly: true).text == "app(ro)> ")
        #expect(Prompt(database: "app", observerCount: 2).text == "app~2> ")
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
                "people> ", "people Person> ", "people Person> ", "people Person[2:2]> ",
                "people Person> ", "people Person*> ", "people Person*1> ", "people Person!> ",
                "people Person> ", "people> ", "  (> ", "  (> ", "  |> ", "  '> ", "people> ",
                "people> ", "people@old> ", "people> ",
            ])
    }

    @Test func `The prompt marks a database that is opened read-only`() throws {
        var harness = harness
        let file = try harness.makePeople()
        harness.invocation.isReadOnly = true
        let run = harness.talk("Person | delete", ".begin", on: file)
        #expect(run.prompts.first == "people(ro)> ")
        #expect(run.errors.contains("error: the database is open read-only\n"))
    }
}
