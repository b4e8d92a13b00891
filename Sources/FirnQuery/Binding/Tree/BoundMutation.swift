package import FirnEngine
package import FirnValues

/// A statement that changes objects: the rows of a query, and what happens to each.
package struct BoundMutation: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// Every expression is computed on the object as it was before any of them is stored.
        case set([Assigned])
        case delete
    }

    /// What a property is set to.
    package enum Content: Hashable, Sendable {
        /// A value of the type of the property: a constant fits it already, in width and as a whole
        /// collection; anything computed may still be null or out of range.
        case expression(BoundExpression)
        /// The object of that class with this key: `obj("Plane", "N1")`; none is an error.
        case object(ClassSchema, key: Value)
        /// The objects of that class with these keys, for a list or set of links.
        case objects(ClassSchema, keys: [Value])
    }

    /// A property and its new value.
    package struct Assigned: Hashable, Sendable {
        package let property: PropertySchema
        package let content: Content
        /// Where the value stands in the text, for errors of values.
        package let range: SourceRange

        package init(property: PropertySchema, content: Content, range: SourceRange) {
            self.property = property
            self.content = content
            self.range = range
        }
    }

    /// The objects to change; it has no projection.
    package let query: BoundQuery
    package let change: Change

    package init(query: BoundQuery, change: Change) {
        self.query = query
        self.change = change
    }
}
