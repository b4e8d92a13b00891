import FirnCodec
import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

extension GraphOracle {
    func passes(_ predicate: BoundPredicate, _ object: GraphObject) -> Bool {
        switch predicate {
        case .always(let passes): return passes
        case .and(let operands): return operands.allSatisfy { passes($0, object) }
        case .or(let operands): return operands.contains { passes($0, object) }
        case .not(let operand): return !passes(operand, object)
        case .linkMatches(let property, let target, let inner, let ifNil):
            guard case .link(let reference) = value(property, object),
                data.exists(reference.rowID, in: target)
            else { return ifNil }
            return passes(inner, GraphObject(schema: target, row: reference.rowID))
        case .comparison(let comparison): return holds(comparison, object)
        case .isWithin(let location, let region):
            return isWithin(region, location, object)
        }
    }

    func passes(_ list: ListTest, _ value: Value) -> Bool {
        func holds(_ part: ListTest.Part) -> Bool {
            switch part {
            case .test(let test): FirnCodec.value(value, passes: test)
            case .list(let list): passes(list, value)
            }
        }
        return list.quantifier == .all
            ? list.tests.allSatisfy(holds) : list.tests.contains(where: holds)
    }

    func fold(
        _ quantifier: Quantifier, _ values: [Value], _ holds: (Value) -> Bool
    ) -> Bool {
        switch quantifier {
        case .any: values.contains(where: holds)
        case .all: values.allSatisfy(holds)
        case .none: !values.contains(where: holds)
        }
    }

    func holds(
        _ left: Value, _ comparison: ComparisonOperator, _ right: Value
    ) -> Bool {
        if left == .null || right == .null {
            let bothNull = left == right
            switch comparison {
            case .equal, .lessOrEqual, .greaterOrEqual: return bothNull
            case .notEqual: return !bothNull
            case .less, .greater: return false
            }
        }
        return FirnCodec.value(left, passes: .compare(comparison, right))
    }

    private func isWithin(
        _ region: GeoRegion, _ location: GeoLocation, _ object: GraphObject
    ) -> Bool {
        guard value(location.typeValue, object) == .string(GeoLocation.pointType),
            case .double(let longitude) = value(location.coordinate(0), object),
            case .double(let latitude) = value(location.coordinate(1), object),
            let position = GeoPosition(longitude: longitude, latitude: latitude)
        else { return false }
        return region.contains(position)
    }

    func isCollection(
        _ path: BoundPath, _ constants: [Value], _ object: GraphObject
    ) -> Bool {
        guard let value = values(path, object).first else { return false }
        var elements: [Value]
        var wanted = constants
        switch value {
        case .list(let values): elements = values
        case .set(let values):
            elements = values
            wanted = Array(Set(wanted)).sorted { $0.order(relativeTo: $1) == .less }
            elements.sort { $0.order(relativeTo: $1) == .less }
        case .map(let entries): elements = Array(entries.values)
        default: return false
        }
        return elements.count == wanted.count
            && zip(elements, wanted).allSatisfy { holds($0, .equal, $1) }
    }

    func matches(
        _ text: Value, _ kind: TextPattern.Kind, _ options: TextPattern.Options, _ operand: Value
    ) -> Bool {
        guard case .string(let operand) = operand else {
            switch kind {
            case .equal, .like: return text == .null
            case .notEqual: return text != .null
            default: return false
            }
        }
        return FirnCodec.value(text, passes: .text(TextPattern(kind, operand, options)))
    }
}
