package import FirnEngine
package import FirnText
package import FirnValues

/// Converts the text of a table field to the JSON that the type of its property expects.
package struct CellReading {
    var form = CellForm()

    package init(form: CellForm = CellForm()) { self.form = form }

    /// Converts a field by its meaning; a word for a missing value, such as `NA`, becomes null where
    /// the type has no such value.
    ///
    /// - Parameter target: the target class of a link.
    package func tree(
        _ cell: JSONTree, as type: PropertyType, target: ClassSchema?
    ) throws(RecordMistake) -> JSONTree {
        guard case .string(let text) = cell.content else { return Self.absent(cell, type) }
        let isNested = type.container != .single || type.base == .any || target?.isEmbedded == true
        if isNested || (type.base == .link && text.utf8.first == UInt8(ascii: "{")) {
            return try Self.nested(text, cell)
        }
        let isTyped =
            type.base == .link
            ? target?.keyProperty?.type.base != .string : FieldText.hasNullWords(type.base)
        guard isTyped else { return cell }
        return try Self.typed(try plain(text, cell, type), cell, type)
    }

    /// Returns a number in plain form, and any other text as it is.
    private func plain(
        _ text: String, _ cell: JSONTree, _ type: PropertyType
    ) throws(RecordMistake) -> String {
        guard let numbers = form.numbers, [.int, .float, .double, .decimal128].contains(type.base)
        else {
            return text
        }
        var text = text
        var plain: [UInt8] = []
        switch text.withUTF8({ numbers.read($0, into: &plain) }) {
        case .plain: return text
        case .converted: return String(decoding: plain, as: UTF8.self)
        case .foreign:
            throw RecordMistake(
                .writeType, "the number is not in the form of --decimal \(numbers.sign)", cell)
        }
    }

    private static func typed(
        _ text: String, _ cell: JSONTree, _ type: PropertyType
    ) throws(RecordMistake) -> JSONTree {
        var copy = text
        let (isNull, trimmed) = copy.withUTF8 { text in
            (
                FieldText.isNullWord(text),
                String(decoding: FieldText.trimmed(text), as: UTF8.self)
            )
        }
        if isNull { return JSONTree(.null, at: cell.position) }
        switch type.base {
        case .bool:
            switch trimmed.lowercased() {
            case "true", "1": return JSONTree(.bool(true), at: cell.position)
            case "false", "0": return JSONTree(.bool(false), at: cell.position)
            default: throw RecordMistake(.writeType, "Bool takes true or false", cell)
            }
        case .double, .float, .int:
            guard isNumber(trimmed) else {
                return JSONTree(.string(special(trimmed) ?? trimmed), at: cell.position)
            }
            let number = type.base == .int ? whole(trimmed) : trimmed
            return JSONTree(.number(number), at: cell.position)
        default: return JSONTree(.string(trimmed), at: cell.position)
        }
    }

    /// Returns the name in JSON of a value that is not a finite number.
    private static func special(_ text: String) -> String? {
        var text = text
        guard let value = text.withUTF8({ FieldText.double($0) }), !value.isFinite else {
            return nil
        }
        return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }

    /// Returns `12` for `12.0`, as printed by programs with only one type of number.
    private static func whole(_ number: String) -> String {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let places = parts.last, let whole = parts.first,
            !whole.isEmpty, !places.isEmpty, places.allSatisfy({ $0 == "0" })
        else { return number }
        return String(whole)
    }

    /// Returns the value of an empty field: an empty collection for a collection.
    private static func absent(_ cell: JSONTree, _ type: PropertyType) -> JSONTree {
        guard case .null = cell.content else { return cell }
        switch type.container {
        case .single: return cell
        case .list, .set: return JSONTree(.array([]), at: cell.position)
        case .map: return JSONTree(.object([]), at: cell.position)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 400
            && text.utf8.allSatisfy { byte in
                byte &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains(byte)
            }
    }

    /// Parses collections, embedded objects and Any, which are JSON in a table.
    private static func nested(_ text: String, _ cell: JSONTree) throws(RecordMistake) -> JSONTree {
        let source = MemorySource(Array("[\(text)]".utf8), name: "a field")
        var found: JSONTree?
        do throws(InputError) {
            var reader = try JSONReader(source)
            if case .value(let tree, _) = try reader.next() { found = tree }
            if try reader.next() != nil { found = nil }
        } catch {
            let prefix = "not JSON: "
            let reason =
                error.message.hasPrefix(prefix)
                ? String(error.message.dropFirst(prefix.count)) : error.message
            throw RecordMistake(.inputSyntax, "the field must contain JSON: \(reason)", cell)
        }
        guard let found else {
            throw RecordMistake(.inputSyntax, "the field must contain one JSON value", cell)
        }
        return found.moved(to: cell.position)
    }
}

extension JSONTree {
    /// Returns the same value at another position: positions inside a field are not useful.
    fileprivate func moved(to position: TextPosition) -> JSONTree {
        switch content {
        case .array(let elements):
            return JSONTree(.array(elements.map { $0.moved(to: position) }), at: position)
        case .object(let members):
            return JSONTree(
                .object(
                    members.map {
                        JSONTree.Member(name: $0.name, value: $0.value.moved(to: position))
                    }),
                at: position)
        default: return JSONTree(content, at: position)
        }
    }
}
