import FirnEngine
import FirnValues

extension Binder {
    /// The column that a path leads to.
    func column(_ path: Path) throws(QueryError) -> BoundColumn {
        if let variable = path.variable {
            throw QueryError(
                .unknownProperty, "no subquery declares $\(variable.shortened)",
                at: path.range.bytes)
        }
        guard let first = path.segments.first else {
            throw QueryError(.syntax, "a property is missing", at: path.range.bytes)
        }
        let column: BoundColumn
        switch first.kind {
        case .name(let name):
            column = .property(try property(name, first.range, isWhole: path.segments.count == 1))
        case .attribute("@id"): column = .rowID
        case .attribute(let name): throw unknownAttribute(name, first.range)
        case .index: throw unsupported("an index", first.range)
        }
        if path.segments.count > 1 { throw stepError(column, path.segments[1]) }
        try checkSupported(column, path.range)
        return column
    }

    private func property(
        _ name: String, _ range: SourceRange, isWhole: Bool
    ) throws(QueryError) -> PropertySchema {
        if let property = classSchema.propertyNamed(name) { return property }
        let nearest = NearestNames.find(name, among: classSchema.properties.map(\.name))
        var hint = nearest.first.map { "did you mean \"\($0)\"?" }
        if nearest.isEmpty {
            if name == classSchema.name, !isWhole { hint = "leave out the name of the class" }
            if Keywords.bareStages.contains(name.uppercased()), isWhole {
                hint = "did you mean \"| \(name)\"?"
            }
        }
        throw QueryError(
            .unknownProperty,
            "no property \"\(name.shortened)\" in class \(classSchema.name)", at: range.bytes,
            hint: hint, suggestions: nearest, notes: [propertiesNote])
    }

    /// All properties with their types, by name.
    private var propertiesNote: String {
        let shown = classSchema.properties.sorted { $0.name < $1.name }.map { property in
            "\(property.name) \(property.type.name)"
                + (property.id == classSchema.key ? " (key)" : "")
        }
        return "properties: " + shown.joined(separator: " · ")
    }

    private func unknownAttribute(_ name: String, _ range: SourceRange) -> QueryError {
        switch name {
        case "@count", "@size", "@sum", "@avg", "@min", "@max":
            typeError(
                "\(name) stands for all rows only as an item of project", range,
                hint: "such as | project(@count)")
        case "@links", "@type", "@keys", "@values": unsupported(name, range)
        default:
            QueryError(
                .unknownProperty, "unknown attribute \(name.shortened)", at: range.bytes,
                hint: "every object has @id")
        }
    }

    /// The error for a step from a column to something inside of its value.
    private func stepError(_ column: BoundColumn, _ segment: Path.Segment) -> QueryError {
        let type = column.type
        if type.container != .single || type.base == .link || type.base == .any {
            return unsupported("a path through links and collections", segment.range)
        }
        switch segment.kind {
        case .name(let name):
            return typeError(
                "\(describe(column)) has no property \"\(name.shortened)\"", segment.range)
        case .attribute(let name):
            return typeError(
                "\(name.shortened) does not apply to \(describe(column))", segment.range)
        case .index:
            return typeError("\(describe(column)) has no elements", segment.range)
        }
    }

    private func checkSupported(_ column: BoundColumn, _ range: SourceRange) throws(QueryError) {
        let type = column.type
        let isScalar = [.bool, .int, .double, .string, .date].contains(type.base)
        guard isScalar, type.container == .single else {
            throw unsupported("a query on the \(type.name) property \"\(column.name)\"", range)
        }
    }

    /// A column as error messages name it: `Int property "age"`.
    func describe(_ column: BoundColumn) -> String {
        switch column {
        case .property(let property): "\(property.type.base.name) property \"\(property.name)\""
        case .rowID: "@id, an Int,"
        case .output(_, let name, let type, _): "\(type.name) column \"\(name)\""
        }
    }
}
