package import FirnPlatform
package import FirnValues

/// `firn observe` on a thread beside an interactive shell, with a line for people per object.
///
///     + Person 11 {"id":11,"name":"Al"}
///     ~ Person 7 {"age":42} (age was 41)
///     - Person 9
package struct BackgroundObservation: Sendable {
    private let file: String
    private let query: String
    private let className: String?
    private let arguments: [String: Value]

    package init(
        file: String, query: String, className: String?, arguments: [String: Value]
    ) {
        self.file = file
        self.query = query
        self.className = className
        self.arguments = arguments
    }

    /// Runs until it is stopped.
    ///
    /// - Returns: why it ended by itself, if it did.
    package func run(
        _ services: SystemServices, isStopped: @escaping () -> Bool,
        _ tell: @escaping (String) -> Void
    ) -> String? {
        var surroundings = Surroundings(
            services: services, input: MemorySource([]), output: LineSink(tell),
            errors: MemorySink())
        surroundings.pendingSignal = { isStopped() ? Signals.terminate : nil }
        var order = ObserveOrder(file: file, query: [query])
        order.className = className
        order.arguments = arguments
        order.shape = .rows
        order.initial = .none
        do throws(CommandFailure) {
            _ = try ObserveRun(order, surroundings).run()
            return "ended"
        } catch {
            switch error {
            case .diagnostic(let diagnostic):
                return "ended: \(SafeText.escaping(diagnostic.message))"
            case .ended(let status): return "ended with status \(status)"
            case .interrupted: return nil
            }
        }
    }
}

/// Makes lines for people of those for programs.
private final class LineSink: ByteSink {
    private static let objectCharactersMax = 100

    private let tell: (String) -> Void
    private var rest: [UInt8] = []

    init(_ tell: @escaping (String) -> Void) { self.tell = tell }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        rest.append(contentsOf: bytes)
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if let line = LineSink.text(Array(rest[start..<end])) { tell(line) }
            start = end + 1
        }
        rest.removeSubrange(..<start)
    }

    private static func text(_ line: [UInt8]) -> String? {
        guard var reader = try? JSONReader(MemorySource(line)),
            case .value(let record, _)? = try? reader.next()
        else { return nil }
        guard let operation = string(record["op"]) else {
            return string(record["type"]) == "reset" ? "began anew" : nil
        }
        let name = string(record["class"]) ?? ""
        let object = "\(SafeText.escaping(name)) \(shown(record["id"]))"
        switch operation {
        case "delete": return "- \(object)"
        case "insert": return "+ \(object) \(shown(record["object"]))"
        default:
            return "~ \(object) \(shown(record["object"])), before \(shown(record["before"]))"
        }
    }

    private static func string(_ tree: JSONTree?) -> String? {
        if case .string(let text) = tree?.content { text } else { nil }
    }

    private static func shown(_ tree: JSONTree?) -> String {
        guard let tree else { return "" }
        var buffer = TextBuffer()
        buffer.append(json: tree)
        return SafeText.excerpt(of: buffer.bytes, characters: objectCharactersMax)
    }
}
