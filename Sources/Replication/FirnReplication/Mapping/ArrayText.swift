import FirnValues

/// The text form of a one-dimensional PostgreSQL array: `{1,NULL,"a \"b\""}`.
enum ArrayText {
    /// Returns the text of an array; `nil` elements are NULL.
    static func text(_ elements: [String?]) -> String {
        var text = "{"
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            guard let element else {
                text += "NULL"
                continue
            }
            text += "\""
            for character in element.unicodeScalars {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
            text += "\""
        }
        return text + "}"
    }

    /// Returns the elements of an array; `nil` if the text is not a one-dimensional array.
    static func elements(_ text: String) -> [String?]? {
        var scanner = Scanner(rest: text.unicodeScalars[...])
        return scanner.array()
    }

    private struct Scanner {
        var rest: Substring.UnicodeScalarView

        mutating func array() -> [String?]? {
            // An array whose lower bound is not 1 begins with its bounds: [0:2]={...}.
            if rest.first == "[" {
                guard let equals = rest.firstIndex(where: { $0 == "=" }) else { return nil }
                rest = rest[rest.index(after: equals)...]
            }
            guard rest.popFirst() == "{" else { return nil }
            var elements: [String?] = []
            if rest.first == "}" {
                rest.removeFirst()
                return rest.isEmpty ? elements : nil
            }
            while true {
                guard let element = element() else { return nil }
                elements.append(element.text)
                switch rest.popFirst() {
                case ",": continue
                case "}": return rest.isEmpty ? elements : nil
                default: return nil
                }
            }
        }

        private mutating func element() -> (text: String?, Void)? {
            if rest.first == "\"" { return quoted().map { ($0, ()) } }
            var text = String.UnicodeScalarView()
            while let scalar = rest.first, scalar != ",", scalar != "}" {
                guard scalar != "{" else { return nil }
                text.append(scalar)
                rest.removeFirst()
            }
            guard !text.isEmpty else { return nil }
            let word = String(text)
            return (word == "NULL" ? nil : word, ())
        }

        private mutating func quoted() -> String? {
            rest.removeFirst()
            var text = String.UnicodeScalarView()
            while let scalar = rest.popFirst() {
                if scalar == "\"" { return String(text) }
                if scalar == "\\" {
                    guard let escaped = rest.popFirst() else { return nil }
                    text.append(escaped)
                } else {
                    text.append(scalar)
                }
            }
            return nil
        }
    }
}
