/// A work on a table of line items, in the language of Firn and in SQL.
struct ScaleWork {
    enum Kind {
        /// A query, which is repeated.
        case query
        /// A statement that changes rows.
        case change
        /// Returns free space to the file system.
        case compaction
    }

    let name: String
    let kind: Kind
    let firn: String
    let sql: String

    /// Returns the works in the order in which they run.
    static func all(rowCount: Int) -> [ScaleWork] {
        queries(rowCount: rowCount) + [
            ScaleWork(
                name: "update a tenth", kind: .change,
                firn: "Lineitem l_quantity <= 5 | set l_tax = 0.5",
                sql: "UPDATE lineitem SET l_tax = 0.5 WHERE l_quantity <= 5"),
            ScaleWork(
                name: "delete a tenth", kind: .change, firn: "Lineitem l_quantity > 45 | delete",
                sql: "DELETE FROM lineitem WHERE l_quantity > 45"),
            ScaleWork(name: "compact", kind: .compaction, firn: "", sql: "VACUUM"),
        ]
    }

    private static func queries(rowCount: Int) -> [ScaleWork] {
        [
            query(
                "filter and sum",
                """
                Lineitem l_shipdate >= 1994-01-01 AND l_shipdate < 1995-01-01 \
                AND l_discount >= 0.05 AND l_discount <= 0.07 AND l_quantity < 24 \
                | select(@sum(l_extendedprice * l_discount) AS revenue)
                """,
                """
                SELECT sum(l_extendedprice * l_discount) FROM lineitem \
                WHERE l_shipdate >= '1994-01-01' AND l_shipdate < '1995-01-01' \
                AND l_discount >= 0.05 AND l_discount <= 0.07 AND l_quantity < 24
                """),
            query(
                "texts that contain a word", #"Lineitem l_comment CONTAINS "special" | count"#,
                "SELECT count(*) FROM lineitem WHERE l_comment LIKE '%special%'"),
            query(
                "first 100 of a sort",
                """
                Lineitem l_shipmode == "AIR" SORT(l_extendedprice DESC) LIMIT(100) \
                | select(l_orderkey, l_extendedprice)
                """,
                """
                SELECT l_orderkey, l_extendedprice FROM lineitem WHERE l_shipmode = 'AIR' \
                ORDER BY l_extendedprice DESC LIMIT 100
                """),
            query(
                "group by two flags",
                """
                Lineitem | group(l_returnflag, l_linestatus; n = @count, \
                q = @sum.l_quantity, p = @avg.l_extendedprice, d = @max.l_discount)
                """,
                """
                SELECT l_returnflag, l_linestatus, count(*), sum(l_quantity), \
                avg(l_extendedprice), max(l_discount) FROM lineitem GROUP BY 1, 2
                """),
            query(
                "group by order, 10 largest",
                "Lineitem | group(l_orderkey; q = @sum.l_quantity) | SORT(q DESC) LIMIT(10)",
                """
                SELECT l_orderkey, sum(l_quantity) AS q FROM lineitem GROUP BY 1 \
                ORDER BY 2 DESC LIMIT 10
                """),
            query(
                "sort of all rows, 5 from the middle",
                """
                Lineitem SORT(l_extendedprice, l_comment) SKIP(\(rowCount / 2)) LIMIT(5) \
                | select(l_orderkey)
                """,
                """
                SELECT l_orderkey FROM lineitem ORDER BY l_extendedprice, l_comment \
                LIMIT 5 OFFSET \(rowCount / 2)
                """),
            query(
                "distinct orders", "Lineitem DISTINCT(l_orderkey) | count",
                "SELECT count(DISTINCT l_orderkey) FROM lineitem"),
        ]
    }

    private static func query(_ name: String, _ firn: String, _ sql: String) -> ScaleWork {
        ScaleWork(name: name, kind: .query, firn: firn, sql: sql)
    }
}
