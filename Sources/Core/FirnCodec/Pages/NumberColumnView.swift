import FirnValues

/// A column of fixed-width numbers; reading a single value takes only a few instructions.
///
/// The view points into its page, and is valid only while the page is retained. It holds no
/// reference, so a copy costs nothing.
///
/// It is public because the compiler inlines no package function into another module.
public struct NumberColumnView {
    @usableFromInline enum Codes {
        case u8(UnsafePointer<UInt8>)
        case u16(UnsafePointer<UInt16>)
        case u32(UnsafePointer<UInt32>)
        case u64(UnsafePointer<UInt64>)
        case doubles(UnsafePointer<Double>)
        /// The value of every row that is not null.
        case integer(Int64)
        case double(Double)
    }

    @usableFromInline let codes: Codes
    @usableFromInline let base: Int64
    @usableFromInline let step: UInt64
    /// The divisor of decimals; 1 for all other numbers.
    @usableFromInline let scale: Double
    /// The nulls: bit i of word i / 64; `nil` if all rows are null or none is.
    @usableFromInline let nulls: UnsafePointer<UInt64>?
    @usableFromInline let isAllNull: Bool
    @usableFromInline let rowCount: Int

    /// A view without rows.
    package static var none: NumberColumnView { NumberColumnView() }

    private init() {
        codes = .integer(0)
        base = 0
        step = 1
        scale = 1
        nulls = nil
        isAllNull = false
        rowCount = 0
    }

    /// Creates a view.
    ///
    /// - Returns: `nil` if the page does not store its values as numbers: texts, and dates with
    ///   fractional seconds.
    package init?(_ page: ColumnPage) {
        rowCount = page.rowCount
        nulls = page.nulls
        isAllNull = page.nulls == nil && page.nullCount != 0
        var frame = IntegerFrame(base: 0, step: 1, maxCode: 0)
        var scale = 1.0
        switch page.content {
        case .packed(let packed):
            codes = Codes(packed.array)
            frame = packed.frame
        case .decimal(let packed, let divisor):
            codes = Codes(packed.array)
            frame = packed.frame
            scale = divisor
        case .fixed(let values): codes = .doubles(values)
        case .constant(.null): codes = .integer(0)
        case .constant(.int(let value)): codes = .integer(value)
        case .constant(.bool(let value)): codes = .integer(value ? 1 : 0)
        case .constant(.double(let value)): codes = .double(value)
        case .constant(.float(let value)): codes = .double(Double(widening: value))
        case .constant(.date(let value)) where value.nanoseconds == 0:
            codes = .integer(value.seconds)
        case .constant, .pairs, .dictionary, .heap: return nil
        }
        base = frame.base
        step = frame.step
        self.scale = scale
    }

    /// Returns whether a row is null.
    @inlinable
    public func isNull(_ row: Int) -> Bool {
        precondition(row >= 0 && row < rowCount)
        guard let nulls else { return isAllNull }
        return nulls[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 == 1
    }

    /// Returns an Int, a Bool as 0 or 1, or the seconds of a Date.
    ///
    /// The row must not be null.
    @inlinable
    public func integer(at row: Int) -> Int64 {
        precondition(row >= 0 && row < rowCount)
        let code: UInt64
        switch codes {
        case .u8(let codes): code = UInt64(codes[row])
        case .u16(let codes): code = UInt64(codes[row])
        case .u32(let codes): code = UInt64(codes[row])
        case .u64(let codes): code = codes[row]
        case .integer(let value): return value
        case .doubles, .double: return 0
        }
        return base &+ Int64(bitPattern: step &* code)
    }

    /// Returns a Float.
    ///
    /// The row must not be null.
    package func float(at row: Int) -> Float {
        switch codes {
        case .doubles, .double: Float(narrowing: double(at: row))
        case .u8, .u16, .u32, .u64, .integer: Float(double(at: row))
        }
    }

    /// Returns a Double.
    ///
    /// The row must not be null.
    @inlinable
    public func double(at row: Int) -> Double {
        switch codes {
        case .doubles(let values):
            precondition(row >= 0 && row < rowCount)
            return values[row]
        case .double(let value): return value
        case .u8, .u16, .u32, .u64, .integer: return Double(integer(at: row)) / scale
        }
    }
}

extension NumberColumnView.Codes {
    fileprivate init(_ codes: CodeArray) {
        switch codes {
        case .u8(let codes): self = .u8(codes)
        case .u16(let codes): self = .u16(codes)
        case .u32(let codes): self = .u32(codes)
        case .u64(let codes): self = .u64(codes)
        }
    }
}
