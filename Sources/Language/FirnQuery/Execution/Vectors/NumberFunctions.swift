import FirnCodec
import FirnPlatform
import FirnSyntax
import FirnValues

/// Functions of numbers.
///
/// The result is null where it does not exist or does not fit.
struct NumberFunctions {
    let vectors: [ColumnVector]
    /// The kind of the result.
    let kind: ValueTag
    let count: Int

    func values(_ function: ScalarFunction) -> ColumnVector {
        switch (function, vectors[0].kind) {
        case (.round, .int) where vectors.count == 1, (.floor, .int), (.ceil, .int):
            return vectors[0]
        case (.round, .int): return roundedInts()
        case (.round, .decimal128), (.floor, .decimal128), (.ceil, .decimal128):
            return roundedDecimals(function)
        case (.round, _) where vectors.count == 2: return roundedToPlaces()
        case (.round, _): return doubles { $0.rounded(.toNearestOrAwayFromZero) }
        case (.floor, _): return doubles { $0.rounded(.down) }
        case (.ceil, _): return doubles { $0.rounded(.up) }
        case (.sqrt, _): return doubles { $0.squareRoot() }
        case (.exp, _): return doubles { Powers.exponential($0) }
        case (.ln, _): return doubles { Powers.naturalLogarithm($0) }
        case (.log, _) where vectors.count == 2:
            return combined {
                $1 == 10
                    ? Powers.decimalLogarithm($0)
                    : Powers.naturalLogarithm($0) / Powers.naturalLogarithm($1)
            }
        case (.log, _): return doubles { Powers.decimalLogarithm($0) }
        case (.power, _): return combined { Powers.power($0, $1) }
        case (.abs, .int): return ints { $0.magnitude <= Int64.max ? Int64($0.magnitude) : nil }
        case (.sign, .int): return ints { $0.signum() }
        case (.abs, .decimal128), (.sign, .decimal128): return decimals(function)
        case (.abs, _): return doubles { Swift.abs($0) }
        default: return signs()
        }
    }

    @inline(__always)
    private func ints(_ body: (Int64) -> Int64?) -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: count, nullsOf: vectors)
        for row in 0..<count where !vectors[0].isNull(row) {
            if let value = body(vectors[0].ints[row]) {
                result.ints[row] = value
            } else {
                result.setNull(row)
            }
        }
        return result
    }

    @inline(__always)
    private func doubles(_ body: (Double) -> Double) -> ColumnVector {
        var result = ColumnVector(zeros: .double, count: count, nullsOf: vectors)
        let operand = vectors[0].asDoubles
        for row in 0..<count {
            let value = body(operand[row])
            if result.isNull(row) || !value.isFinite && operand[row].isFinite {
                result.setNull(row)
            } else {
                result.doubles[row] = value
            }
        }
        return result
    }

    @inline(__always)
    private func combined(_ body: (Double, Double) -> Double) -> ColumnVector {
        var result = ColumnVector(zeros: .double, count: count, nullsOf: vectors)
        let (left, right) = (vectors[0].asDoubles, vectors[1].asDoubles)
        for row in 0..<count {
            let value = body(left[row], right[row])
            let isMissing = !value.isFinite && left[row].isFinite && right[row].isFinite
            if result.isNull(row) || isMissing {
                result.setNull(row)
            } else {
                result.doubles[row] = value
            }
        }
        return result
    }

    private func signs() -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: count, nullsOf: vectors)
        let operand = vectors[0].asDoubles
        for row in 0..<count where !result.isNull(row) {
            if operand[row].isNaN { result.setNull(row) }
            result.ints[row] = operand[row] > 0 ? 1 : operand[row] < 0 ? -1 : 0
        }
        return result
    }

    private func decimals(_ function: ScalarFunction) -> ColumnVector {
        var result = ColumnVector(kind: kind)
        for row in 0..<count {
            guard case .decimal128(let number) = vectors[0].value(at: row),
                !number.isNaN || function == .abs
            else {
                result.appendNull()
                continue
            }
            let order = number.numericOrder(relativeTo: Decimal128(0))
            if function == .sign {
                result.append(.int(order == .less ? -1 : order == .equal ? 0 : 1))
            } else if number.isNaN {
                result.append(.decimal128(number))
            } else {
                result.append(.decimal128(order == .less ? number.negated : number))
            }
        }
        return result
    }

    // MARK: Places

    /// Rounds to a number of places after the point, or before it if negative.
    ///
    /// Halves are those of the shortest decimal form, and are rounded away from 0.
    private func roundedToPlaces() -> ColumnVector {
        var result = ColumnVector(zeros: .double, count: count, nullsOf: vectors)
        let operand = vectors[0].asDoubles
        for row in 0..<count where !result.isNull(row) {
            let value = Self.rounded(operand[row], places: vectors[1].ints[row])
            if value.isFinite || !operand[row].isFinite {
                result.doubles[row] = value
            } else {
                result.setNull(row)
            }
        }
        return result
    }

    private static func rounded(_ value: Double, places: Int64) -> Double {
        guard value.isFinite, places <= 17 else { return value }
        guard places >= -308 else { return 0 }
        if places >= 0, Swift.abs(value) < 1e9, places <= 6 {
            var scale = 1.0
            for _ in 0..<places { scale *= 10 }
            let scaled = value * scale
            let distance = Swift.abs(scaled - scaled.rounded(.down) - 0.5)
            // Far from a half, the error of the product does not matter.
            if distance > 1e-3 { return scaled.rounded(.toNearestOrAwayFromZero) / scale }
        }
        return DecimalDigits(value).rounded(places: Int(places)).double
    }

    private func roundedDecimals(_ function: ScalarFunction) -> ColumnVector {
        let rounding: Decimal128.Rounding =
            switch function {
            case .floor: .down
            case .ceil: .up
            default: .nearest
            }
        var result = ColumnVector(kind: kind)
        for row in 0..<count {
            guard case .decimal128(let number) = vectors[0].value(at: row),
                vectors.count == 1 || !vectors[1].isNull(row)
            else {
                result.appendNull()
                continue
            }
            let places = vectors.count == 1 ? 0 : vectors[1].ints[row]
            result.append(.decimal128(number.rounded(rounding, places: places)))
        }
        return result
    }

    private func roundedInts() -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: count, nullsOf: vectors)
        for row in 0..<count where !result.isNull(row) {
            let value = vectors[0].ints[row]
            let places = vectors[1].ints[row]
            guard places < 0 else {
                result.ints[row] = value
                continue
            }
            guard places >= -18 else { continue }
            var unit: Int64 = 1
            for _ in 0..<(-places) { unit *= 10 }
            let rest = value % unit
            var rounded = value - rest
            var overflow = false
            if rest.magnitude >= unit.magnitude / 2 {
                (rounded, overflow) = rounded.addingReportingOverflow(value < 0 ? -unit : unit)
            }
            if overflow { result.setNull(row) } else { result.ints[row] = rounded }
        }
        return result
    }
}

/// The least or the greatest of several values; null if one of them is null.
///
/// NaN is ignored unless all of them are NaN, as by the aggregates of these names.
struct GreatestValues {
    let vectors: [ColumnVector]
    let kind: ValueTag
    let count: Int

    /// Returns the least values for `less`, and the greatest for `greater`.
    func values(_ wanted: Ordering) -> ColumnVector {
        let operands = vectors.map { $0.converted(to: kind) }
        guard kind == .int || kind == .double else { return others(operands, wanted) }
        var result = operands[0]
        for operand in operands.dropFirst() {
            for row in 0..<count {
                if operand.isNull(row) {
                    result.setNull(row)
                } else if !result.isNull(row) {
                    if kind == .int {
                        let (left, right) = (result.ints[row], operand.ints[row])
                        result.ints[row] = wanted == .less ? min(left, right) : max(left, right)
                    } else {
                        let (left, right) = (result.doubles[row], operand.doubles[row])
                        result.doubles[row] =
                            wanted == .less
                            ? Double.minimum(left, right) : Double.maximum(left, right)
                    }
                }
            }
        }
        return result
    }

    private func others(_ operands: [ColumnVector], _ wanted: Ordering) -> ColumnVector {
        var result = ColumnVector(kind: kind)
        for row in 0..<count {
            var best = operands[0].value(at: row)
            for operand in operands.dropFirst() {
                let value = operand.value(at: row)
                if value.isNull || best.isNull {
                    best = .null
                } else if best.isNotANumber
                    || !value.isNotANumber && value.order(relativeTo: best) == wanted
                {
                    best = value
                }
            }
            result.append(best)
        }
        return result
    }
}
