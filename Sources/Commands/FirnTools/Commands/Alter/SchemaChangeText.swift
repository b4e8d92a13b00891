import FirnEngine
import FirnFormats
import FirnValues

/// One change to the schema, as parsed from the arguments of `alter`.
enum SchemaChangeText {
    case addClass(String)
    case addProperty(PropertyName, TypeText, defaultValue: DefaultValue?)
    case renameClass(String, String)
    case renameProperty(PropertyName, String)
    case removeClass(String)
    case removeProperty(PropertyName)
    case retype(PropertyName, TypeText)
    case setKey(String, String?)
    case addInverse(PropertyName, source: PropertyName)
    case link(LinkRequest)
    case addIndex(IndexRequest, isUnique: Bool)
    case dropIndex(IndexRequest)

    /// `CLASS.PROP`.
    struct PropertyName {
        let className: String
        let name: String
        var text: String { "\(className).\(name)" }
    }

    /// The value of existing objects.
    struct DefaultValue {
        let text: String
        /// Whether the value was in quotes, which makes it a string.
        let isQuoted: Bool
    }

    /// The forms of each verb.
    static let forms: [(verb: String, text: String)] = [
        ("add", "add CLASS, or add CLASS.PROP TYPE [= VALUE]"),
        ("rename", "rename CLASS NEW, or rename CLASS.PROP NEW"),
        ("remove", "remove CLASS, or remove CLASS.PROP"),
        ("retype", "retype CLASS.PROP TYPE"),
        ("key", "key CLASS.PROP, or key CLASS none"),
        ("inverse", "inverse CLASS.NAME = SOURCE.PROP"),
        ("index", "index CLASS.PROP, index CLASS.PROP[c], or index CLASS(PROP, ...)"),
        ("unique", "unique CLASS.PROP, or unique CLASS(PROP, ...)"),
        ("drop", "drop index CLASS.PROP, or drop index CLASS(PROP, ...)"),
        (
            "link",
            "link CLASS.PROP = FIELD:CLASS.TARGET, or link CLASS.PROP = (FIELD, ...):CLASS.(TARGET, ...)"
        ),
    ]

    /// Returns the verb that a word of other languages corresponds to.
    static func verb(ofOther word: String) -> String? {
        switch word.lowercased() {
        case "delete": "remove"
        case "create": "add"
        case "modify", "change", "type": "retype"
        case "move": "rename"
        default: nil
        }
    }

    /// Returns the syntax of a change for errors; of all changes if the verb is unknown.
    static func usage(_ verb: String? = nil) -> String {
        let known = forms.first { $0.verb == verb }
        return known.map { "write: \($0.text)" }
            ?? "a change starts with " + forms.map(\.verb).joined(separator: ", ")
            + "; see: firn help alter"
    }
}

/// Parses the changes of `alter`: each is one word of the command line, or several words.
struct SchemaChangeParser {
    private struct Token {
        /// The parts between dots.
        var parts: [String]
        var isQuoted: Bool
        /// The text as written.
        var raw: String
        var text: String { parts.joined(separator: ".") }
    }

    private var tokens: [Token] = []
    private var next = 0

    private static let verbs = SchemaChangeText.forms.map(\.verb)
    /// The verb of the change that is being parsed.
    private var verb: String?

    init(_ words: [String]) throws(CommandFailure) {
        for word in words { try split(word) }
    }

    mutating func changes() throws(CommandFailure) -> [SchemaChangeText] {
        var changes: [SchemaChangeText] = []
        while next < tokens.count { changes.append(try change()) }
        return changes
    }

    // MARK: Words

    /// Splits at spaces and, in each piece, at dots; quotes and backquotes keep both.
    private mutating func split(_ word: String) throws(CommandFailure) {
        var parts: [String] = [""]
        var isQuoted = false
        var quote: Unicode.Scalar?
        var isEscaped = false
        var raw = ""
        func token() -> Token { Token(parts: parts, isQuoted: isQuoted, raw: raw) }
        for scalar in word.unicodeScalars {
            if quote != nil || !scalar.properties.isWhitespace { raw.unicodeScalars.append(scalar) }
            if let open = quote {
                if isEscaped {
                    parts[parts.count - 1].unicodeScalars.append(scalar == "n" ? "\n" : scalar)
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else if scalar == open {
                    quote = nil
                } else {
                    parts[parts.count - 1].unicodeScalars.append(scalar)
                }
            } else if scalar == "\"" || scalar == "`" {
                (quote, isQuoted) = (scalar, true)
            } else if scalar.properties.isWhitespace {
                if parts != [""] || isQuoted { tokens.append(token()) }
                (parts, isQuoted, raw) = ([""], false, "")
            } else if scalar == "." {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
        }
        guard quote == nil else {
            throw .diagnostic(.usage("unclosed quote in: \(SafeText.escaping(word))"))
        }
        if parts != [""] || isQuoted { tokens.append(token()) }
    }

    // MARK: Changes

    private mutating func change() throws(CommandFailure) -> SchemaChangeText {
        let verb = try token("a change").text
        self.verb = verb
        switch verb {
        case "add": return try add()
        case "rename":
            let name = try token("a class or property")
            takeTo()
            let new = try token("the new name")
            if let property = SchemaChangeParser.property(name) {
                return .renameProperty(property, try SchemaChangeParser.name(new, of: property))
            }
            return .renameClass(name.text, try SchemaChangeParser.plainName(new))
        case "remove":
            let name = try token("a class or property")
            if let property = SchemaChangeParser.property(name) { return .removeProperty(property) }
            return .removeClass(name.text)
        case "retype":
            let name = try property()
            takeTo()
            return .retype(name, try type())
        case "key":
            let first = try token("a class")
            // The form of --key of create.
            if let property = SchemaChangeParser.property(first) {
                return .setKey(property.className, property.name)
            }
            let className = first.text
            let name = try token("a property or none")
            return .setKey(className, name.text == "none" && !name.isQuoted ? nil : name.text)
        case "inverse":
            let name = try property()
            _ = takeEquals()
            return .addInverse(name, source: try property())
        case "link": return .link(try link())
        case "index": return .addIndex(try index(), isUnique: false)
        case "unique": return .addIndex(try index(), isUnique: true)
        case "drop": return .dropIndex(try droppedIndex())
        default:
            var diagnostic = Diagnostic(
                .usageArguments, "unknown change \"\(SafeText.escaping(verb))\"")
            diagnostic.suggestions =
                SchemaChangeText.verb(ofOther: verb).map { [$0] }
                ?? NearestNames.misspelt(verb, among: SchemaChangeParser.verbs)
            if let first = diagnostic.suggestions.first {
                diagnostic.details = ["did you mean \"\(first)\"?"]
            }
            diagnostic.remedy = SchemaChangeText.usage()
            throw .diagnostic(diagnostic)
        }
    }

    /// Parses a link, in the form of --link of create, from the words that it consists of.
    private mutating func link() throws(CommandFailure) -> LinkRequest {
        var text = ""
        while next < tokens.count {
            text += (text.isEmpty ? "" : " ") + tokens[next].raw
            next += 1
            let label = "link \(SafeText.escaping(text))"
            guard let request = LinkRequest(text, label: label) else { continue }
            guard request.className != nil else { break }
            return request
        }
        throw .diagnostic(
            .usage(
                text.isEmpty
                    ? "CLASS.PROP is missing"
                    : "\"\(SafeText.escaping(text))\" is not of the form "
                        + "CLASS.PROP = FIELD:CLASS.TARGET",
                remedy: SchemaChangeText.usage(verb)))
    }

    /// Parses an index from the words that it consists of.
    private mutating func index() throws(CommandFailure) -> IndexRequest {
        var text = ""
        while next < tokens.count {
            text += (text.isEmpty ? "" : " ") + tokens[next].raw
            next += 1
            if let request = IndexRequest(argument: text) { return request }
        }
        throw .diagnostic(
            .usage(
                text.isEmpty
                    ? "CLASS.PROP is missing"
                    : "\"\(SafeText.escaping(text))\" is not of the form CLASS.PROP or "
                        + "CLASS(PROP, ...)",
                remedy: SchemaChangeText.usage(verb)))
    }

    private mutating func droppedIndex() throws(CommandFailure) -> IndexRequest {
        let word = try token("index").text
        if word == "index" { return try index() }
        var diagnostic = Diagnostic(
            .usageArguments, "drop removes an index, not \"\(SafeText.escaping(word))\"")
        diagnostic.suggestions = ["remove", "drop index"]
        diagnostic.remedy = "write: drop index CLASS.PROP, or remove CLASS or CLASS.PROP"
        throw .diagnostic(diagnostic)
    }

    private mutating func add() throws(CommandFailure) -> SchemaChangeText {
        let name = try token("a class or property")
        guard let property = SchemaChangeParser.property(name) else { return .addClass(name.text) }
        let type = try type()
        guard takeEquals() else { return .addProperty(property, type, defaultValue: nil) }
        let value = try token("a value")
        let isQuoted = value.raw.hasPrefix("\"")
        return .addProperty(
            property, type,
            defaultValue: .init(text: isQuoted ? value.text : value.raw, isQuoted: isQuoted))
    }

    private mutating func token(_ expected: String) throws(CommandFailure) -> Token {
        guard next < tokens.count else {
            throw .diagnostic(
                .usage("\(expected) is missing", remedy: SchemaChangeText.usage(verb)))
        }
        next += 1
        return tokens[next - 1]
    }

    private mutating func word(_ expected: String) throws(CommandFailure) -> String {
        try token(expected).text
    }

    /// Skips the word in `rename A.b to c`, unless it is the new name itself.
    private mutating func takeTo() {
        guard next + 1 < tokens.count, !tokens[next].isQuoted, tokens[next].text == "to",
            tokens[next + 1].isQuoted || !Self.verbs.contains(tokens[next + 1].text)
        else { return }
        next += 1
    }

    private mutating func takeEquals() -> Bool {
        guard next < tokens.count, tokens[next].text == "=", !tokens[next].isQuoted else {
            return false
        }
        next += 1
        return true
    }

    /// Parses `CLASS.PROP`; everything after the first dot is the property.
    private static func property(_ token: Token) -> SchemaChangeText.PropertyName? {
        guard token.parts.count > 1, let first = token.parts.first, !first.isEmpty else {
            return nil
        }
        let name = token.parts.dropFirst().joined(separator: ".")
        return name.isEmpty ? nil : .init(className: first, name: name)
    }

    /// Parses the new name of a property, which its class may precede.
    private static func name(
        _ token: Token, of property: SchemaChangeText.PropertyName
    ) throws(CommandFailure) -> String {
        guard let new = SchemaChangeParser.property(token) else { return try plainName(token) }
        guard new.className == property.className else {
            throw .diagnostic(
                .usage(
                    "\(SafeText.escaping(property.text)) cannot be moved to another class",
                    remedy: dotRemedy(token)))
        }
        return new.name
    }

    /// Parses a name, which can contain a dot only in quotes.
    private static func plainName(_ token: Token) throws(CommandFailure) -> String {
        guard token.parts.count == 1 else {
            throw .diagnostic(
                .usage(
                    "\"\(SafeText.escaping(token.text))\" is not a name", remedy: dotRemedy(token)))
        }
        return token.text
    }

    private static func dotRemedy(_ token: Token) -> String {
        "put a name with a dot in quotes: \"\(SafeText.escaping(token.text))\""
    }

    private mutating func property() throws(CommandFailure) -> SchemaChangeText.PropertyName {
        let token = try token("CLASS.PROP")
        guard let property = SchemaChangeParser.property(token) else {
            throw .diagnostic(
                .usage(
                    "\"\(SafeText.escaping(token.text))\" is not of the form CLASS.PROP",
                    remedy: SchemaChangeText.usage(verb)))
        }
        return property
    }

    private mutating func type() throws(CommandFailure) -> TypeText {
        let name = try word("a type")
        guard let type = TypeText(name) else {
            throw .diagnostic(.usage("\"\(SafeText.escaping(name))\" is not a type"))
        }
        return type
    }
}
