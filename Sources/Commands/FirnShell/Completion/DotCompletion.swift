import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Finds the candidates at the end of an unfinished dot command.
struct DotCompletion {
    private let scope: CompletionScope

    init(_ scope: CompletionScope) { self.scope = scope }

    /// - Parameter typed: the text from the start of the line to the cursor.
    func completion(of typed: String) -> Completion {
        let dot = typed.unicodeScalars.prefix(while: \.properties.isWhitespace)
            .reduce(0) { $0 + UTF8.width($1) }
        let words = DotCompletion.words(typed, from: dot)
        guard let name = words.first else { return .none }
        if words.count == 1 {
            let names = DotCommandName.allCases.map { command in
                Candidate(
                    "." + command.rawValue, note: command.summary,
                    append: command.arguments.isEmpty ? nil : " ")
            }
            return matching(names, name.text, start: dot)
        }
        guard let command = DotCommandName(rawValue: String(name.text.dropFirst())),
            let kind = command.arguments[before: words.count - 1], let last = words.last
        else { return .none }
        // A query takes the rest of the line.
        if kind == .query, let index = command.arguments.firstIndex(of: .query) {
            return query(typed, from: words[index + 1].start)
        }
        return argument(kind, last)
    }

    private func query(_ typed: String, from start: Int) -> Completion {
        let text = String(decoding: Array(typed.utf8.dropFirst(start)), as: UTF8.self)
        let found = Completer.query("", text, scope)
        return Completion(start: found.start + start, candidates: found.candidates)
    }

    private func argument(_ kind: ArgumentKind, _ word: Word) -> Completion {
        switch kind {
        case .file, .database: return files(word, onlyFolders: false)
        case .folder: return files(word, onlyFolders: true)
        default: return matching(names(kind), word.text, start: word.start)
        }
    }

    private func names(_ kind: ArgumentKind) -> [Candidate] {
        switch kind {
        case .className:
            return (scope.snapshot?.schema.listedClasses ?? []).map(\.name).sorted()
                .map { Candidate($0, note: "class", append: " ") }
        case .format: return (scope.formats + ["auto"]).map { Candidate($0) }
        case .savedResult:
            return scope.savedResults.keys.sorted()
                .map { Candidate($0, note: scope.savedResults[$0]) }
        case .freeze: return scope.freezes.map { Candidate($0, note: "freeze") }
        case .version:
            return scope.freezes.map { Candidate($0, note: "freeze") } + [Candidate("head")]
        case .onOff: return ["on", "off"].map { Candidate($0) }
        case .topic:
            return DotCommandName.allCases.map { Candidate($0.rawValue, note: $0.summary) }
                + scope.topics.map { Candidate($0) }
        case .variable:
            return scope.arguments.values.keys.sorted().map { Candidate($0, append: " ") }
        case .choice(let words): return words.map { Candidate($0) }
        case .file, .folder, .database, .query, .number, .shellCommand, .text: return []
        }
    }

    private func matching(_ candidates: [Candidate], _ typed: String, start: Int) -> Completion {
        let wanted = typed.lowercased()
        return Completion(
            start: start, candidates: candidates.filter { $0.text.lowercased().hasPrefix(wanted) })
    }

    // MARK: Files

    /// The maximum number of names from a folder for which a list is useful.
    private static let filesMax = 1_000

    private func files(_ word: Word, onlyFolders: Bool) -> Completion {
        guard !word.isQuoted else { return .none }
        let parts = word.text.cut(atLast: "/")
        let folder = parts.map { "\($0.before)/" } ?? ""
        let prefix = parts.map { String($0.after) } ?? word.text
        let entries = FolderEntry.choices(
            in: folder.isEmpty ? "." : folder, startingWith: prefix,
            countMax: DotCompletion.filesMax)
        let candidates = entries.filter { entry in
            // Hidden files are offered only if the typed name begins with a dot.
            (entry.isFolder || !onlyFolders)
                && (!entry.name.hasPrefix(".") || prefix.hasPrefix("."))
        }.sorted { $0.name < $1.name }.map { entry in
            let shown = entry.isFolder ? entry.name + "/" : entry.name
            return Candidate(
                DotCompletion.escaped(folder + shown), shown: shown,
                append: entry.isFolder ? nil : " ")
        }
        return Completion(start: word.start, candidates: candidates)
    }

    /// Returns the name with a backslash before characters that would end the word.
    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { " '\"\\".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }
            .joined()
    }

    // MARK: Words

    private struct Word {
        /// The text without backslashes.
        var text: String
        /// The position in UTF-8.
        let start: Int
        /// Whether the word contains quotes.
        var isQuoted: Bool
    }

    /// Returns the words up to the cursor; the last one is incomplete, and can be empty.
    private static func words(_ line: String, from start: Int) -> [Word] {
        var words: [Word] = []
        var word: Word?
        var quote: Unicode.Scalar?
        var isEscaped = false
        var offset = 0
        for scalar in line.unicodeScalars {
            defer { offset += UTF8.width(scalar) }
            guard offset >= start else { continue }
            if quote == nil, !isEscaped, scalar.properties.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
                continue
            }
            var current = word ?? Word(text: "", start: offset, isQuoted: false)
            if isEscaped {
                current.text.unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote, scalar == open {
                quote = nil
            } else if quote == nil, scalar == "'" || scalar == "\"" {
                quote = scalar
                current.isQuoted = true
            } else {
                current.text.unicodeScalars.append(scalar)
            }
            word = current
        }
        return words + [word ?? Word(text: "", start: line.utf8.count, isQuoted: false)]
    }
}

extension [ArgumentKind] {
    /// Returns the kind of a word by its number, counted from 1 after the name; the last kind
    /// applies to all remaining words.
    fileprivate subscript(before number: Int) -> ArgumentKind? {
        number <= count ? self[number - 1] : last
    }
}
