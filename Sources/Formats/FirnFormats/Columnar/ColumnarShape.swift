import FirnColumnar
import FirnEngine
import FirnQuery
import FirnValues

/// The form in which the values of a column of a result become a column of Parquet or Arrow.
indirect enum ColumnarShape {
    /// Numbers, texts and bytes that are kept as they are.
    case scalar(ValueTag)
    /// Dates as days.
    case days
    /// Dates as numbers of a unit since 1970.
    case times(ColumnarTimeUnit)
    case decimals(scale: Int)
    /// Values that have no type in the file, as texts.
    case text(ValueTag)
    /// Links, as the keys of their targets.
    case keys(ColumnarShape, PropertySchema, ClassSchema)
    /// Links, as the numbers of their targets.
    case rows
    /// Links, as their targets.
    case objects(ClassSchema, [(PropertySchema, ColumnarShape)])
    case list(ColumnarShape)
    case map(ColumnarShape)
    /// Values of any type, as JSON.
    case json(PropertyType, DisplayForm?)
}

/// Chooses the types and shapes for the columns of a result.
struct ColumnarPlan {
    /// The maximum depth of embedded objects, which may contain objects of their own class; deeper
    /// objects are JSON.
    private static let depthMax = 8

    let fields: [ColumnarField]
    let shapes: [ColumnarShape]
    private let schema: Schema

    /// - Parameters:
    ///   - evidence: what the values of single columns need, by the index of the column.
    ///   - depth: the levels of links that are written as objects.
    init(
        _ columns: [ResultColumn], _ schema: Schema, _ evidence: [Int: ColumnarEvidence],
        depth: Int
    ) {
        self.schema = schema
        var fields: [ColumnarField] = []
        var shapes: [ColumnarShape] = []
        for (index, column) in columns.enumerated() {
            let plan = Planner(schema: schema, evidence: evidence[index])
            let (type, shape) = plan.type(
                of: column.type, column.display, depth: depth, level: 0, inside: [])
            fields.append(
                ColumnarField(column.name, type, isOptional: column.type.mayBeNull))
            shapes.append(shape)
        }
        self.fields = fields
        self.shapes = shapes
    }

    private struct Planner {
        let schema: Schema
        let evidence: ColumnarEvidence?

        func type(
            of type: PropertyType, _ display: DisplayForm?, depth: Int, level: Int,
            inside classes: [ClassID]
        ) -> (ColumnarType, ColumnarShape) {
            func element() -> (ColumnarField, ColumnarShape) {
                let (found, shape) = self.type(
                    of: type.element, display, depth: depth, level: level + 1, inside: classes)
                return (
                    ColumnarField("element", found, isOptional: type.element.mayBeNull), shape
                )
            }
            switch type.container {
            case .list, .set:
                let (field, shape) = element()
                return (.list(field), .list(shape))
            case .map:
                let (field, shape) = element()
                let key = ColumnarField("key", .string, isOptional: false)
                return (.map(key: key, value: field), .map(shape))
            case .single: break
            }
            guard type.base == .link else { return scalar(type, display, level: level) }
            return link(type, depth: depth, level: level, inside: classes)
        }

        private func scalar(
            _ type: PropertyType, _ display: DisplayForm?, level: Int
        ) -> (ColumnarType, ColumnarShape) {
            let evidence = level == 0 ? evidence : nil
            switch type.base {
            case .bool: return (.bool, .scalar(.bool))
            case .int:
                return (.int(bits: Int(type.integerWidth.rawValue), isSigned: true), .scalar(.int))
            case .float: return (.float, .scalar(.float))
            case .double: return (.double, .scalar(.double))
            case .string: return (.string, .scalar(.string))
            case .data: return (.binary, .scalar(.data))
            // The default reader of pandas has no lists of an extension type.
            case .uuid:
                return level == 0 ? (.uuid, .scalar(.uuid)) : (.string, .text(.uuid))
            case .date:
                if display == .dateOnly, evidence?.areWholeDays == true { return (.date, .days) }
                let unit: ColumnarTimeUnit =
                    evidence?.needsNanoseconds == true ? .nanoseconds : .microseconds
                return (.timestamp(unit, isUTC: true), .times(unit))
            case .decimal128:
                guard let (precision, scale) = evidence?.decimal else {
                    return (.string, .text(.decimal128))
                }
                return (.decimal(precision: precision, scale: scale), .decimals(scale: scale))
            case .objectID: return (.string, .text(.objectID))
            default: return (.json, .json(type, display))
            }
        }

        private func link(
            _ type: PropertyType, depth: Int, level: Int, inside classes: [ClassID]
        ) -> (ColumnarType, ColumnarShape) {
            guard let target = type.target.flatMap({ schema[$0] }) else {
                return (.json, .json(type, nil))
            }
            let isNested = target.isEmbedded || depth > 0
            let isEndless = classes.contains(target.id) || level >= depthMax
            if isNested, isEndless || target.properties.isEmpty { return (.json, .json(type, nil)) }
            guard !isNested else {
                let inner = target.isEmbedded ? depth : depth - 1
                var fields: [ColumnarField] = []
                var parts: [(PropertySchema, ColumnarShape)] = []
                for property in target.properties {
                    let (type, shape) = self.type(
                        of: property.type, property.display, depth: inner, level: level + 1,
                        inside: classes + [target.id])
                    // The values of a missing object are null.
                    fields.append(ColumnarField(property.name, type))
                    parts.append((property, shape))
                }
                return (.structure(fields), .objects(target, parts))
            }
            guard let key = target.keyProperty else {
                return (.int(bits: 64, isSigned: true), .rows)
            }
            let (found, shape) = scalar(key.type, key.display, level: level + 1)
            return (found, .keys(shape, key, target))
        }
    }
}

extension PropertyType {
    /// Whether a value can be null; a collection cannot, and a link always can unless it is an
    /// element.
    fileprivate var mayBeNull: Bool {
        container == .single && (isOptional || base == .link || base == .any)
    }
}
