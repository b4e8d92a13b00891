import FirnValues

extension SyncedColumn {
    /// Returns the text of a collection that contains the changes of both sides.
    func merged(base: [String?], server: [String?]?, local: [String?]) -> String? {
        if isJSON { return mergedJSON(base.first, server?.first, local.first) }
        func elements(_ texts: [String?]?) -> [CanonicalText] {
            let parsed = texts?.first.flatMap { $0 }.flatMap(ArrayText.elements) ?? []
            return parsed.map { CanonicalText($0, stored) }
        }
        let (base, server, local) = (elements(base), elements(server), elements(local))
        let merged =
            type.container == .set
            ? ListMerge.set(base: base, server: server, local: local)
            : ListMerge.list(base: base, server: server, local: local)
        return ArrayText.text(merged.map(\.text))
    }

    private func mergedJSON(_ base: String??, _ server: String??, _ local: String??) -> String? {
        guard let base = node(base), let server = node(server), let local = node(local) else {
            return local.flatMap { $0 }
        }
        switch (base, server, local) {
        case (.object(let base), .object(let server), .object(let local)):
            return JSONNode.object(ListMerge.map(base: base, server: server, local: local)).text
        case (.array(let base), .array(let server), .array(let local)):
            let merged =
                type.container == .set
                ? ListMerge.set(base: base, server: server, local: local)
                : ListMerge.list(base: base, server: server, local: local)
            return JSONNode.array(merged).text
        default: return local.text
        }
    }

    private func node(_ text: String??) -> JSONNode? {
        text.flatMap { $0 }.flatMap { JSONNode(parsing: $0)?.canonical }
    }

    /// Returns a counter with the changes of both sides.
    ///
    /// - Returns: `nil` if one of the values is none, or if the sum is out of the range of the
    ///   property.
    func sum(base: [String?], server: [String?]?, local: [String?]) -> Int64? {
        func number(_ texts: [String?]?) -> Int64? {
            texts?.first.flatMap { $0 }.flatMap { Int64($0) }
        }
        guard let base = number(base), let server = number(server), let local = number(local)
        else { return nil }
        let (difference, isTooFar) = local.subtractingReportingOverflow(base)
        let (sum, isTooLarge) = server.addingReportingOverflow(difference)
        guard !isTooFar, !isTooLarge, type.integerWidth.range.contains(sum) else { return nil }
        return sum
    }

    /// Returns whether the texts of both sides represent the same value.
    ///
    /// The server prints `1e+22` and `2024-01-01 00:00:00+00` in forms of its own.
    func isEqual(_ left: [String?]?, _ right: [String?]?) -> Bool {
        canonical(left ?? []) == canonical(right ?? [])
    }

    private func canonical(_ texts: [String?]) -> [String?] {
        guard let first = texts.first, let text = first else { return [] }
        if isJSON { return [JSONNode(parsing: text)?.canonical.text ?? text] }
        if isCollection {
            let elements = (ArrayText.elements(text) ?? []).map { CanonicalText($0, stored).text }
            return type.container == .set
                ? elements.sorted { ($0 ?? "") < ($1 ?? "") } : elements
        }
        if stored == .date {
            let rest = texts.count > 1 ? texts[1] : nil
            return [Timestamp(text)?.description ?? text, rest ?? "0"]
        }
        return [CanonicalText(text, stored).text]
    }
}

extension JSONNode {
    /// The same value with numbers as this side writes them: the server prints 1e22 in full.
    var canonical: JSONNode {
        switch self {
        case .number(let digits):
            .number(
                Int64(digits).map { String($0) } ?? Double(digits)?.description ?? digits)
        case .array(let elements): .array(elements.map(\.canonical))
        case .object(let members): .object(members.mapValues(\.canonical))
        default: self
        }
    }
}

/// A text of a value; texts of equal values are equal.
///
/// The server prints `100000` where this side prints `100000.0`.
struct CanonicalText: Hashable {
    private let content: TextKey?

    var text: String? { content?.text }

    init(_ text: String?, _ tag: ValueTag) {
        let value = text.flatMap { ScalarText.value($0, tag) }
        content = (value.flatMap { (try? ScalarText.text($0)) ?? text } ?? text).map(TextKey.init)
    }
}
