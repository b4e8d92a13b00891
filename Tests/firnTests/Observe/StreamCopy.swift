/// A reader's copy of the result of a query, updated by the lines of a stream only.
struct StreamCopy {
    /// The objects as JSON, in the order of the query.
    private(set) var objects: [String]
    private(set) var version: UInt64
    /// The token of the last line with one.
    private(set) var token: String?

    /// - Parameter objects: the objects known already, of a version.
    init(objects: [String] = [], version: UInt64 = 0) {
        self.objects = objects
        self.version = version
    }

    struct Wrong: Error {
        let line: String
        let reason: String
    }

    /// Applies a line of `--shape rows`: deletions from the last to the first, then insertions,
    /// then modifications, each by its position.
    ///
    /// - Returns: whether it is the last of its commit.
    mutating func apply(_ line: String) throws -> Bool {
        func fail(_ reason: String) -> Wrong { Wrong(line: line, reason: reason) }
        guard let version = number("version", line) else { throw fail("no version") }
        if let type = text("type", line) {
            switch type {
            case "initial", "reset": objects = []
            case "resume", "heartbeat", "end": break
            default: throw fail("another type")
            }
            if type != "end", type != "heartbeat" { self.version = version }
            if type == "resume" || line.contains("\"more\":false") { take(text("token", line)) }
            return type == "resume" || line.contains("\"more\":false")
        }
        guard let operation = text("op", line), let index = number("index", line).map({ Int($0) })
        else { throw fail("no operation with an index") }
        guard version >= self.version else { throw fail("a version of the past") }
        switch operation {
        case "delete":
            guard objects.indices.contains(index) else { throw fail("nothing stands there") }
            guard let before = object("before", line), before == objects[index] else {
                throw fail("there stands \(objects[index])")
            }
            objects.remove(at: index)
        case "insert":
            guard index <= objects.count, let object = object("object", line) else {
                throw fail("there are \(objects.count)")
            }
            objects.insert(object, at: index)
        case "update":
            guard objects.indices.contains(index), let object = object("object", line) else {
                throw fail("nothing stands there")
            }
            objects[index] = object
        default: throw fail("another operation")
        }
        self.version = version
        guard line.contains("\"commit\":true") else { return false }
        take(text("token", line))
        return true
    }

    private mutating func take(_ token: String?) { if let token { self.token = token } }

    // MARK: Members

    private func number(_ name: String, _ line: String) -> UInt64? {
        rest(behind: "\"\(name)\":", line).flatMap { UInt64($0.prefix { $0.isNumber }) }
    }

    private func text(_ name: String, _ line: String) -> String? {
        rest(behind: "\"\(name)\":\"", line).map { String($0.prefix { $0 != "\"" }) }
    }

    /// A member that is an object without braces in its texts.
    private func object(_ name: String, _ line: String) -> String? {
        guard let rest = rest(behind: "\"\(name)\":{", line) else { return nil }
        var depth = 1
        for index in rest.indices {
            if rest[index] == "{" { depth += 1 }
            if rest[index] == "}" { depth -= 1 }
            if depth == 0 { return "{" + rest[...index] }
        }
        return nil
    }

    private func rest(behind label: String, _ line: String) -> Substring? {
        let label = Array(label.utf8)
        let utf8 = line.utf8
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start] == label[0], utf8[start...].starts(with: label) {
                return line[utf8.index(start, offsetBy: label.count)...]
            }
            start = utf8.index(after: start)
        }
        return nil
    }
}
