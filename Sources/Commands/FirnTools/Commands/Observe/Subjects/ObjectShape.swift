import FirnEngine
import FirnQuery
import FirnValues

/// The columns that a stream shows of the objects of a class.
struct ObjectShape {
    /// One value of each object.
    struct Column {
        let name: String
        /// The properties of the object that the value depends on.
        let properties: PropertySet
        /// Whether the value also depends on objects that link to this object.
        let looksBack: Bool
    }

    let classSchema: ClassSchema
    let columns: [Column]
    /// Delivers the columns of objects.
    let rendering: BoundQuery
    /// The paths whose changes modify an object.
    let observed: ObservedPaths
    /// The columns of rows that are not objects.
    private(set) var values: ValueColumns?

    /// The columns of rows of values.
    struct ValueColumns {
        let shown: [ResultColumn]
        /// The keys of the group, which identify the rows; empty if there is only one row.
        let keys: [ResultColumn]
    }

    /// Shows all columns of a class.
    ///
    /// The contents of an object, such as embedded objects, belong to it.
    init(_ classSchema: ClassSchema, in schema: Schema) {
        let paths = ContentPaths(of: classSchema, in: schema).paths
        self.init(
            classSchema,
            columns: classSchema.properties.map {
                Column(name: $0.name, properties: PropertySet([$0.id]), looksBack: false)
            }, stages: [], text: classSchema.name,
            observed: paths.contains { !$0.steps.isEmpty } ? .paths(paths) : .own)
    }

    private init(
        _ classSchema: ClassSchema, columns: [Column], stages: [BoundStage], text: String,
        observed: ObservedPaths
    ) {
        self.classSchema = classSchema
        self.columns = columns
        rendering = BoundQuery(
            classSchema: classSchema, stages: stages, explain: false, text: text)
        self.observed = observed
    }

    /// Shows the rows of a query that delivers values.
    init(_ table: ValueTable, of query: BoundQuery) {
        // Nothing is known about the properties that a value depends on, so values are compared.
        self.init(
            query.classSchema,
            columns: table.columns.map {
                Column(name: $0.name, properties: PropertySet(), looksBack: true)
            }, stages: [], text: query.text, observed: .membership)
        values = ValueColumns(shown: table.columns, keys: table.keys)
    }

    /// Shows the columns of the last stage of a query, or all columns of the class.
    init(_ query: BoundQuery, in schema: Schema) {
        guard case .project(let projections)? = query.stages.last else {
            self.init(query.classSchema, in: schema)
            return
        }
        var paths: [BoundPath] = []
        var columns: [Column] = []
        for projection in projections {
            let content = ContentPaths(
                of: projection.expression, from: query.classSchema, in: schema)
            paths += content.paths
            columns.append(
                Column(
                    name: projection.name, properties: content.properties,
                    looksBack: content.looksBack))
        }
        self.init(
            query.classSchema, columns: columns, stages: [.project(projections)],
            text: query.text, observed: paths.isEmpty ? .membership : .paths(paths))
    }

    /// Returns the columns that show a write.
    ///
    /// - Parameter differs: whether the value of a column differs now.
    func changed(
        _ properties: PropertySet, differs: (Int) -> Bool
    ) -> [Int] {
        columns.indices.filter { index in
            columns[index].properties.intersects(properties)
                || columns[index].looksBack && differs(index)
        }
    }

    /// The name of the key, if the class has one.
    var keyName: String? { values == nil ? classSchema.keyProperty?.name : nil }

    /// Whether an object shows its number, because nothing else identifies it.
    var showsRow: Bool { values == nil && classSchema.key == nil }
}
