import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnQuery
@testable import FirnSyntax
@testable import FirnTools

@Suite("The man pages and the completions")
struct ManualTests {
    @Test("The page of a command explains exactly the options of its parser")
    func options() throws {
        for command in CommandName.allCases {
            let page = try ManualPage("firn-\(command.rawValue).1")
            let parser = try ParserOptions(of: command.rawValue)
            #expect(page.explained == parser.names, "firn-\(command.rawValue).1")
            #expect(page.mentioned.isSubset(of: parser.names), "firn-\(command.rawValue).1")
        }
    }

    @Test("The page of a command names every listed value")
    func values() throws {
        var valueCount = 0
        for command in CommandName.allCases {
            let page = try ManualPage("firn-\(command.rawValue).1")
            for option in try ParserOptions(of: command.rawValue).options {
                let name = try #require(option.names.last)
                let words = page.words(about: name)
                for value in option.values {
                    // These belong to query; export refuses them.
                    if command == .export, ["auto", "table", "box", "line"].contains(value) {
                        continue
                    }
                    // The shell refuses them.
                    if command == .repl, ["sqlite", "parquet", "arrow"].contains(value) {
                        continue
                    }
                    valueCount += 1
                    #expect(words.contains(value), "\(command.rawValue) \(name) \(value)")
                }
            }
        }
        #expect(valueCount > 50)
    }

    @Test("The page of a command has all sections")
    func sections() throws {
        let wanted = [
            "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "ENVIRONMENT", "FILES", "EXIT STATUS",
            "EXAMPLES", "SEE ALSO",
        ]
        for command in CommandName.allCases {
            let page = try ManualPage("firn-\(command.rawValue).1")
            #expect(page.sections == wanted, "firn-\(command.rawValue).1")
        }
    }

    @Test("The first page has every command, every exit status and only existing options")
    func firstPage() throws {
        let page = try ManualPage("firn.1")
        for command in CommandName.allCases {
            #expect(page.lines.contains(".It Xr firn-\(command.rawValue) 1"))
            let summary = command.summary.lowercased()
            #expect(page.lines.contains { $0.lowercased() == summary }, "\(command.rawValue)")
        }
        for status in ExitStatus.allCases {
            #expect(page.lines.contains(".It \(status.rawValue)"), "\(status)")
        }
        let known = try CommandName.allCases.reduce(into: Set<String>()) {
            $0.formUnion(try ParserOptions(of: $1.rawValue).names)
        }
        #expect(page.mentioned.isSubset(of: known))
    }

    @Test("The page of the language has every keyword of the parser")
    func language() throws {
        let text = try ManualPage("firn-query-language.7").lines.joined(separator: "\n")
        let functions = ScalarFunction.allCases.map { "\($0.rawValue)(" }
        let attributes = BoundExpression.Reduction.allCases.map(\.rawValue)
        let stages = Keywords.stagesWithItems.union(Keywords.bareStages).map { $0.lowercased() }
        let comparisons = Comparison.Operator.allCases.map(\.rawValue)
        let words = functions + attributes + stages + comparisons + Keywords.descriptors
        #expect(words.count > 40)
        for word in words { #expect(text.lowercased().contains(word.lowercased()), "\(word)") }
    }

    @Test("The completions have every command and option, and no other option")
    func completions() throws {
        var options: Set<String> = []
        for command in CommandName.allCases {
            options.formUnion(try ParserOptions(of: command.rawValue).names)
        }
        // The options of firn-serve, which is a program of its own: its tests compare its page.
        options.formUnion(try ManualPage("firn-serve.1").mentioned)
        let long = options.filter { $0.hasPrefix("--") }
        for name in ["firn.bash", "_firn", "firn.fish"] {
            let text = try ManualPage.lines(of: "completions/\(name)").joined(separator: "\n")
            for command in CommandName.allCases {
                #expect(text.contains(command.rawValue), "\(name): \(command.rawValue)")
            }
            let isFish = name.hasSuffix("fish")
            for option in long {
                let wanted = isFish ? " -l \(option.dropFirst(2)) " : option
                #expect(text.contains(wanted), "\(name): \(option)")
            }
            for match in text.matches(of: /[^-a-z](--[a-z][a-z0-9-]*[a-z0-9])[^-a-z]/) {
                let option = String(match.1)
                let isKnown = long.contains(option)
                #expect(isKnown, "\(name): \(option)")
            }
        }
    }
}
