import FirnEngine

extension BoundQuery {
    /// Parses a text and binds it to the schema of the context.
    ///
    /// Several command line arguments form one text, joined by ` | `.
    ///
    /// - Complexity: O(length of the text), times the number of properties of the class.
    package init(
        _ text: String, entry: QueryEntry, in context: BindingContext
    ) throws(QueryError) {
        let statement = try Statement.parse(text, entry: entry)
        try self.init(statement, text: text, in: context)
    }

    /// Binds the tree of a text to the schema of the context.
    package init(
        _ statement: Statement, text: String, in context: BindingContext
    ) throws(QueryError) {
        let source = try SourceBinder(statement: statement, context: context).bind()
        let binder = Binder(classSchema: source.classSchema, context: context, text: text)
        var pipeline = PipelineBinder(binder: binder)
        for stage in source.stages { try pipeline.append(stage) }
        self.init(
            classSchema: source.classSchema, stages: pipeline.stages, explain: pipeline.explain,
            text: text)
    }
}
