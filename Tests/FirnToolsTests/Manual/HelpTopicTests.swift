import FirnPlatform
import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnQuery
@testable import FirnSyntax
@testable import FirnTools

@Suite("firn help TOPIC")
struct HelpTopicTests {
    private let harness = CommandHarness()

    private func text(_ topic: HelpTopic) -> String {
        let run = harness.run(["help", topic.rawValue])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test("Each topic fits eighty columns and ends with a line feed", arguments: HelpTopic.allCases)
    func lines(topic: HelpTopic) {
        let text = text(topic)
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") { #expect(line.count <= 90, "\(line)") }
        #expect(text == topic.text)
    }

    @Test("The topic lists every exit code with its meaning")
    func exitCodes() throws {
        let text = text(.exitCodes)
        for status in ExitStatus.allCases {
            #expect(text.contains(" \(status.rawValue)  \(status.meaning)"), "\(status)")
        }
        #expect(text.contains("(try again)"))
    }

    @Test("The topic lists every format of the parser")
    func formats() throws {
        let text = text(.formats)
        for format in RowFormat.allCases {
            #expect(text.contains("  -f \(format.rawValue) "), "\(format)")
        }
    }

    @Test("The variables match the first page of the manual and the sources")
    func environment() throws {
        let text = text(.environment)
        let page = try ManualPage("firn.1").lines.filter { $0.hasPrefix(".It Ev ") }
            .flatMap { $0.dropFirst(7).split(separator: " ") }.filter { $0 != "," }
        #expect(Set(page.map(String.init)) == Set(HelpTopic.variables.map(\.name)))
        for (name, meaning) in HelpTopic.variables {
            #expect(text.contains("  \(name) "), "\(name)")
            #expect(text.contains(meaning), "\(name)")
        }
    }

    @Test("The topic of the language has every comparison, stage and aggregate of the parser")
    func language() throws {
        let text = text(.queryLanguage).lowercased()
        let stages = ["select", "group", "count", "exists", "first", "last", "delete"]
        let known = Keywords.stagesWithItems.union(Keywords.bareStages)
        #expect(stages.allSatisfy { known.contains($0.uppercased()) })
        // The page says that no query supports this yet.
        let comparisons = Comparison.Operator.allCases.filter { $0 != .text }
            .map { $0.rawValue.lowercased() }
        let descriptors = Keywords.descriptors.map { $0.lowercased() + "(" }
        let words = stages + comparisons + descriptors + ["@count", "@avg", "@sum", "subquery("]
        for word in words { #expect(text.contains(word), "\(word)") }
    }

    @Test("The topic on SQL matches the section in the man page")
    func sql() throws {
        let lines = text(.sql).split(separator: "\n", omittingEmptySubsequences: false)
        let page = try ManualPage("firn-query-language.7").lines.map { line in
            line.replacing("\\(aq", with: "'").replacing("\\-", with: "-")
        }
        for line in lines.dropFirst(4) where !line.isEmpty {
            #expect(page.contains(String(line)), "\(line)")
        }
    }

    @Test("An unknown topic suggests a similar one")
    func unknown() {
        let run = harness.run(["help", "formts"])
        #expect(run.status == 64)
        #expect(run.errors.contains("did you mean \"formats\"?"))
    }
}
