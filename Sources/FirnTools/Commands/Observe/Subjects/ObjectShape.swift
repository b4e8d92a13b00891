import FirnEngine
import FirnQuery
import FirnValues

/// What a stream shows of the objects of a class.
struct ObjectShape {
    /// One value of each object.
    struct Column {
        let name: String
        /// The properties of the object that it depends on.
        let properties: PropertySet
        /// Whether it depends on objects that link here, too.
        let looksBack: Bool
    }

    let classSchema: ClassSchema
    let columns: [Column]
    /// Delivers the columns of objects.
    let rendering: BoundQuery
    /// What makes an object a modified one.
    let observed: ObservedPaths

    /// All of a class: what is inside of an object, as objects without an identity of their own are,
    /// belongs to it.
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

    /// What the last stage of a query shows, all of the class without one.
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

    /// The columns that show that something was written.
    ///
    /// - Parameter differs: whether a column shows something else now.
    func changed(
        _ properties: PropertySet, differs: (Int) -> Bool
    ) -> [Int] {
        columns.indices.filter { index in
            columns[index].properties.intersects(properties)
                || columns[index].looksBack && differs(index)
        }
    }

    /// The name of the key, if the class has one.
    var keyName: String? { classSchema.keyProperty?.name }
}
