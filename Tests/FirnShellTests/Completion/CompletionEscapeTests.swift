import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnShell

/// Completions appear in the line that the terminal shows, whatever the source of the data.
@Suite("Completion from hostile data")
struct CompletionEscapeTests {
    private let completer: Completer

    init() throws {
        let disk = SimulatedFileSystem()
        let creation = try Store.create("/n.firn", services: disk.services(clock: SimulatedClock()))
        let transaction = try creation.store.beginWrite()
        var classes: [ClassSchema] = []
        for name in ["Thing", "Thi\u{202E}ng"] {
            classes.append(
                try transaction.addClass(
                    ClassDefinition(
                        name: name,
                        properties: [
                            .init(name: "text", type: PropertyType(.string)),
                            .init(name: "te\u{E0041}xt", type: PropertyType(.string)),
                        ], keyName: nil)))
        }
        for text in ["k\(HostileText.sample)", "plain"] {
            _ = try transaction.create(in: classes[0].id, [.string(text), .string("")])
        }
        _ = try transaction.commit()
        try creation.publish()
        var scope = CompletionScope()
        scope.snapshot = try Database(creation.store).snapshot()
        completer = Completer { [scope] in scope }
    }

    private func texts(_ line: String) -> [String] {
        completer.completion(before: "", line: line, cursor: line.utf8.count).candidates
            .map(\.text)
    }

    /// Marks of direction were inserted into the line.
    @Test(
        "Values are inserted with escapes that preserve the value", .tags(.security)
    )
    func values() throws {
        let found = texts("Thing text == \"k")
        #expect(
            found == [#"k\u001b]0;owned\u0007\u009b2J\u202eabc\u007f\udb40\udc41"# + "\u{E9}\""])
        #expect(texts("Thing text == \"").count == 2)
    }

    /// They were inserted into the line unchanged.
    @Test(
        "Names with unprintable characters are not offered", .tags(.security),
        arguments: [
            ("", "Thing"), ("Thi", "Thing"), (".use Th", "Thing"), ("Thing te", "text"),
            (".describe ", "Thing"),
        ])
    func names(line: String, expected: String) {
        let found = texts(line)
        #expect(found.contains(expected), "\(found)")
        #expect(HostileText.harmful(in: found.joined()).isEmpty, "\(found)")
    }

    @Test("Files with unprintable names are not offered either", .tags(.security))
    func files() throws {
        let folder = TemporaryFolder()
        for name in ["a\u{1B}[2J", "a\u{202E}b", "a\nb", "ab"] {
            _ = try SystemFileSystem().open(folder(name), .createNew)
        }
        #expect(texts(".read \(folder("a"))") == [folder("ab")])
    }
}
