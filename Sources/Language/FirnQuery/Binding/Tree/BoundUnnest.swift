import FirnSyntax
package import FirnValues

/// A stage that delivers one row for each element of collections.
///
///     Person | each(dogs.name AS dog, dogs.age AS years, n = @index) | years > 3
///
///     column     name     age    dog              years           n
///     content    input    -      element          element         position
///
/// Several collections are visited side by side: the row has the first element of each, then the
/// second, and null after the last one of the shorter ones.
package struct BoundUnnest: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// A value of the object, which is the same in all of its rows.
        case input(BoundExpression)
        /// A value of each element of a path, which is inside the expression.
        case element(BoundExpression)
        /// These values of the object, one in each row.
        case listed([BoundExpression])
        /// The number of the row among the rows of its object, from 0.
        case position

        /// The values of a list; empty for other contents.
        var listed: [BoundExpression] {
            if case .listed(let values) = self { values } else { [] }
        }
    }

    package struct Column: Hashable, Sendable {
        package let name: String
        package let content: Content
        package let type: PropertyType
        package let display: DisplayForm?
        /// Whether a later stage uses the column.
        package internal(set) var isUsed = false

        init(_ name: String, _ content: Content, _ type: PropertyType, _ display: DisplayForm?) {
            self.name = name
            self.content = content
            self.type = type
            self.display = display
        }

        /// Creates a column with a value of the object, or of each element.
        init(_ name: String, _ expression: BoundExpression) {
            guard let path = expression.elementPath else {
                // A column of nil has a type, which does not matter.
                let type = expression.type
                self.init(
                    name, .input(expression),
                    type.base == .null ? PropertyType(.int, isOptional: true) : type,
                    expression.display)
                return
            }
            let type = if case .mapped = expression { path.type } else { expression.type }
            // A shorter collection has nothing beside a longer one.
            self.init(
                name, .element(expression),
                PropertyType(
                    type.base, isOptional: true, target: type.target,
                    integerWidth: type.integerWidth), expression.display)
        }

        /// Creates a column with several values of the object, which have one type.
        init(_ name: String, listed expressions: [BoundExpression]) {
            let type = ScalarFunction.coalesce.type(of: expressions)
            self.init(
                name, .listed(expressions),
                PropertyType(type.base, isOptional: true, target: type.target),
                expressions.first?.display)
        }

        /// The expressions of the column; empty for the position.
        package var expressions: [BoundExpression] {
            switch content {
            case .input(let expression), .element(let expression): [expression]
            case .listed(let expressions): expressions
            case .position: []
            }
        }

        /// The content in canonical form.
        var text: String {
            switch content {
            case .input(let expression), .element(let expression): expression.description
            case .listed(let values):
                "{\(values.map(\.description).joined(separator: ", "))}"
            case .position: "@index"
            }
        }
    }

    package internal(set) var columns: [Column]
    /// The number of leading columns, which are the columns that the stage names.
    package let namedCount: Int
    /// Whether an object without elements gets a row.
    package let keepsEmpty: Bool

    /// Returns the stage with the columns that are used or named.
    func using(_ indices: Set<Int>) -> BoundUnnest {
        var stage = self
        for index in indices { stage.columns[index].isUsed = true }
        let last = stage.columns.lastIndex(where: \.isUsed) ?? 0
        stage.columns.removeLast(stage.columns.count - max(namedCount, last + 1))
        return stage
    }
}

extension BoundUnnest: CustomStringConvertible {
    /// The stage in canonical form.
    package var description: String {
        let items = columns.prefix(namedCount).map { column in
            column.text + " AS " + Canonical.name(column.name)
        }
        return "\(keepsEmpty ? "eachOrNil" : "each")(\(items.joined(separator: ", ")))"
    }
}
