import FirnCodec
import FirnColumnar
import FirnEngine
import FirnQuery
import FirnValues

/// A value that a column of Parquet or Arrow cannot represent.
enum ColumnarConversionError: Error {
    case store(StoreError)
    /// The value as text, and the type of the column.
    case unrepresentable(String, String)
}

/// Converts the vectors of a batch to columns of Parquet or Arrow.
struct ColumnarConversion {
    private let lookup: any ObjectLookup
    private let renderer: ValueRenderer

    init(_ lookup: any ObjectLookup, _ options: ValueOptions) {
        self.lookup = lookup
        renderer = ValueRenderer(lookup: lookup, options: options)
    }

    func column(
        _ vector: ColumnVector, _ shape: ColumnarShape, _ type: ColumnarType
    ) throws(ColumnarConversionError) -> ColumnarColumn {
        let column = ColumnarColumn(type)
        column.count = vector.count
        column.validity = Self.validity(vector)
        switch shape {
        case .scalar: copy(vector, to: column)
        case .days:
            column.ints = vector.ints.map { seconds in
                // Earlier days than 1970 are rounded down; the dates are whole days.
                seconds / 86_400
            }
        case .times(let unit): try copyTimes(vector, unit, to: column)
        case .decimals(let scale): try copyDecimals(vector, scale, to: column)
        case .text: appendTexts(vector, to: column)
        case .json(let type, let display):
            let context = ValueRenderer.Context(
                type: type, display: display, depth: renderer.options.depth)
            let texts: ColumnVector
            do { texts = try renderer.texts(vector, context).vector(nullsOf: vector) } catch {
                throw .store(error)
            }
            copy(texts, to: column)
        case .rows: column.ints = vector.ints
        case .keys(let shape, let key, let target):
            return try objects(vector, [(key, shape)], target, [ColumnarField("", type)])[0]
        case .objects(let target, let parts):
            guard case .structure(let fields) = type else { break }
            column.children = try objects(vector, parts, target, fields)
        case .list(let shape):
            guard case .list(let element) = type else { break }
            column.offsets = vector.offsets
            column.children = [try self.column(vector.children[0], shape, element.type)]
        case .map(let shape):
            guard case .map(let key, let value) = type else { break }
            column.offsets = vector.offsets
            column.children = [
                try self.column(vector.children[1], .scalar(.string), key.type),
                try self.column(vector.children[0], shape, value.type),
            ]
        }
        return column
    }

    /// Returns one bit per value, set if it is not null; empty if no value is null.
    private static func validity(_ vector: ColumnVector) -> [UInt64] {
        guard vector.nulls.contains(where: { $0 != 0 }) else { return [] }
        let words = (vector.count + 63) / 64
        return (0..<words).map { $0 < vector.nulls.count ? ~vector.nulls[$0] : .max }
    }

    private func copy(_ vector: ColumnVector, to column: ColumnarColumn) {
        column.ints = vector.ints
        column.doubles = vector.doubles
        if !column.offsets.isEmpty {
            column.offsets = vector.offsets
            column.bytes = vector.bytes
        }
    }

    private func appendTexts(_ vector: ColumnVector, to column: ColumnarColumn) {
        for row in 0..<vector.count {
            if !vector.isNull(row) {
                column.bytes.append(contentsOf: vector.value(at: row).description.utf8)
            }
            column.offsets.append(UInt32(truncatingIfNeeded: column.bytes.count))
        }
    }

    // MARK: Numbers

    private func copyTimes(
        _ vector: ColumnVector, _ unit: ColumnarTimeUnit, to column: ColumnarColumn
    ) throws(ColumnarConversionError) {
        column.ints.reserveCapacity(vector.count)
        for row in 0..<vector.count {
            let nanoseconds = vector.nanoseconds.isEmpty ? 0 : vector.nanoseconds[row]
            guard let number = unit.number(seconds: vector.ints[row], nanoseconds: nanoseconds)
            else {
                throw .unrepresentable(
                    vector.value(at: row).description,
                    unit == .nanoseconds ? "nanoseconds since 1970" : "microseconds since 1970")
            }
            column.ints.append(number)
        }
    }

    private func copyDecimals(
        _ vector: ColumnVector, _ scale: Int, to column: ColumnarColumn
    ) throws(ColumnarConversionError) {
        for row in 0..<vector.count {
            guard !vector.isNull(row), case .decimal128(let number) = vector.value(at: row) else {
                column.decimals.append(0)
                continue
            }
            let (coefficient, exponent) = number.parts
            var value = Int128(truncatingIfNeeded: coefficient)
            var isExact = number.isFinite && exponent + scale >= 0
            for _ in 0..<max(0, min(40, exponent + scale)) where isExact && value != 0 {
                let (product, overflow) = value.multipliedReportingOverflow(by: 10)
                isExact = !overflow
                value = product
            }
            guard isExact else {
                throw .unrepresentable(number.description, "a decimal with \(scale) places")
            }
            column.decimals.append(number.isNegative ? -value : value)
        }
    }

    // MARK: Objects

    /// Returns properties of the targets of links; null for a null link.
    private func objects(
        _ links: ColumnVector, _ parts: [(PropertySchema, ColumnarShape)], _ target: ClassSchema,
        _ fields: [ColumnarField]
    ) throws(ColumnarConversionError) -> [ColumnarColumn] {
        let all = (0..<links.count).filter { !links.isNull($0) }
            .map { RowID(UInt64(bitPattern: links.ints[$0])) }
        let rows = ValueRenderer.distinct(all)
        let indices = (0..<links.count).map { index in
            links.isNull(index)
                ? UInt32(rows.count)
                : UInt32(
                    ValueRenderer.index(
                        of: RowID(UInt64(bitPattern: links.ints[index])), in: rows))
        }
        var columns: [ColumnarColumn] = []
        for (index, (property, shape)) in parts.enumerated() {
            var found: ColumnVector
            do { found = try lookup.column(property, of: target, rows: rows) } catch {
                throw .store(error)
            }
            // The value of a null link.
            found.appendNull()
            var vector = ColumnVector(of: property.type)
            vector.append(found, rows: indices[...])
            columns.append(try column(vector, shape, fields[index].type))
        }
        return columns
    }
}
