import FirnValues

extension ArrowField {
    /// Reads a field of a schema.
    ///
    /// - Parameters:
    ///   - outer: the names around, with periods.
    ///   - depth: the number of fields around.
    ///   - count: the number of fields that were read; a field may be part of several.
    init(
        _ table: FlatTable, in outer: String, depth: Int, _ count: inout Int,
        _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        let name = try table.text(0) ?? ""
        let path = outer.isEmpty ? name : "\(outer).\(name)"
        guard depth < limits.nestingMax else {
            throw ColumnarError(
                .tooLarge, "the column \(path) is nested more than \(limits.nestingMax) levels deep"
            )
        }
        count += 1
        guard count <= limits.columnCountMax else {
            throw ColumnarError(
                .tooLarge, "the file has more than \(limits.columnCountMax) columns")
        }
        var children: [ArrowField] = []
        for child in try table.tables(5) {
            children.append(try ArrowField(child, in: path, depth: depth + 1, &count, limits))
        }
        let code = try table.number(2, default: UInt8(0))
        let form: (ColumnarType, Layout)
        do {
            form = try Self.form(code, try table.table(3), children, try Self.texts(table, 6))
        } catch { throw error.located(column: path) }
        field = ColumnarField(name, form.0, isOptional: try table.bool(1))
        layout = form.1
        guard let encoding = try table.table(4) else { return }
        let index = try encoding.table(1)
        dictionary = (
            try encoding.number(0, default: Int64(0)),
            Int(try index?.number(0, default: Int32(32)) ?? 32) / 8, try index?.bool(1) ?? true
        )
    }

    /// Reads a list of names and texts.
    static func texts(_ table: FlatTable, _ field: Int) throws(ColumnarError) -> TextMap<String> {
        var texts: TextMap<String> = [:]
        for entry in try table.tables(field) {
            if let key = try entry.text(0) { texts[key] = try entry.text(1) ?? "" }
        }
        return texts
    }

    private static func form(
        _ code: UInt8, _ table: FlatTable?, _ children: [ArrowField], _ texts: TextMap<String>
    ) throws(ColumnarError) -> (ColumnarType, Layout) {
        let isJSON = texts[ArrowExtension.key] == ArrowExtension.json
        switch code {
        case 1: return (.null, .null)
        case 2: return try integer(table)
        case 3:
            let precision = try table?.number(0, default: Int16(0)) ?? 0
            let bytes = precision == 0 ? 2 : precision == 1 ? 4 : 8
            return (bytes == 8 ? .double : .float, .floats(bytes: bytes))
        case 4: return (.binary, .texts(offsetBytes: 4))
        case 5: return (isJSON ? .json : .string, .texts(offsetBytes: 4))
        case 6: return (.bool, .bits)
        case 7: return try decimal(table)
        case 8:
            return try table?.number(0, default: Int16(1)) == 0
                ? (.date, .integers(bytes: 4, isSigned: true)) : (.date, .dayMilliseconds)
        case 9:
            let unit = try unit(table, default: 1)
            let bits = try table?.number(1, default: Int32(32)) ?? 32
            return (.time(unit), .integers(bytes: bits == 64 ? 8 : 4, isSigned: true))
        case 10:
            let isUTC = try table?.text(1)?.isEmpty == false
            return (
                .timestamp(try unit(table, default: 0), isUTC: isUTC),
                .integers(bytes: 8, isSigned: true)
            )
        case 15:
            let bytes = Int(try table?.number(0, default: Int32(0)) ?? 0)
            guard bytes > 0 else { throw .damaged("values have \(bytes) bytes") }
            let isUUID = bytes == 16 && texts[ArrowExtension.key] == ArrowExtension.uuid
            return (isUUID ? .uuid : .binary, .fixed(bytes: bytes))
        case 18:
            return (.duration(try unit(table, default: 1)), .integers(bytes: 8, isSigned: true))
        case 19: return (.binary, .texts(offsetBytes: 8))
        case 20: return (isJSON ? .json : .string, .texts(offsetBytes: 8))
        case 23: return (.binary, .views)
        case 24: return (isJSON ? .json : .string, .views)
        default: return try nested(code, table, children)
        }
    }

    private static func nested(
        _ code: UInt8, _ table: FlatTable?, _ children: [ArrowField]
    ) throws(ColumnarError) -> (ColumnarType, Layout) {
        switch code {
        case 12, 16, 21:
            guard children.count == 1, let element = children.first else {
                throw .damaged("a list has \(children.count) types of elements")
            }
            let type = ColumnarType.list(element.field)
            guard code == 16 else {
                return (type, .lists(offsetBytes: code == 21 ? 8 : 4, element))
            }
            let count = Int(try table?.number(0, default: Int32(0)) ?? 0)
            guard count >= 0 else { throw .damaged("lists have \(count) elements") }
            return (type, .fixedLists(count: count, element))
        case 13: return (.structure(children.map(\.field)), .structure(children))
        case 17:
            guard children.count == 1, let entries = children.first,
                case .structure(let parts) = entries.layout, parts.count == 2
            else { throw .damaged("a map has no keys and values") }
            return (.map(key: parts[0].field, value: parts[1].field), .map(entries))
        default:
            let names: [UInt8: String] = [
                11: "intervals", 14: "unions", 22: "run-end encoded values", 25: "list views",
                26: "list views",
            ]
            throw ColumnarError(
                .unsupported,
                "the column has \(names[code] ?? "values of the unknown type \(code)"), which "
                    + "are not read", remedy: "convert it to another type, or leave it out")
        }
    }

    private static func integer(
        _ table: FlatTable?
    ) throws(ColumnarError) -> (ColumnarType, Layout) {
        let bits = Int(try table?.number(0, default: Int32(0)) ?? 0)
        let isSigned = try table?.bool(1) ?? false
        guard [8, 16, 32, 64].contains(bits) else {
            throw .damaged("an integer type has \(bits) bits instead of 8, 16, 32 or 64")
        }
        let layout = Layout.integers(bytes: bits / 8, isSigned: isSigned)
        guard isSigned || bits < 64 else { return (.decimal(precision: 20, scale: 0), layout) }
        return (.int(bits: bits, isSigned: isSigned), layout)
    }

    private static func decimal(
        _ table: FlatTable?
    ) throws(ColumnarError) -> (ColumnarType, Layout) {
        let precision = Int(try table?.number(0, default: Int32(0)) ?? 0)
        let scale = Int(try table?.number(1, default: Int32(0)) ?? 0)
        let bits = Int(try table?.number(2, default: Int32(128)) ?? 128)
        guard [32, 64, 128].contains(bits), precision >= 1, precision <= 38, scale >= 0,
            scale <= precision
        else {
            throw ColumnarError(
                .unsupported,
                "the decimals have \(precision) digits, \(scale) of them after the point, in "
                    + "\(bits) bits; at most 38 in 128 bits are read",
                remedy: "convert the column to text or to decimal(38, \(max(0, min(scale, 38))))")
        }
        return (.decimal(precision: precision, scale: scale), .decimals(bytes: bits / 8))
    }

    private static func unit(
        _ table: FlatTable?, default standard: Int16
    ) throws(ColumnarError) -> ColumnarTimeUnit {
        let units: [ColumnarTimeUnit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
        let number = Int(try table?.number(0, default: standard) ?? standard)
        guard units.indices.contains(number) else { throw .damaged("times have unit \(number)") }
        return units[number]
    }
}
