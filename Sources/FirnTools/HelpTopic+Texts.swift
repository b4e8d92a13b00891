extension HelpTopic {
    static let queryLanguageText = """
        The query language; see man firn-query-language for the full reference.

          Person age > 30 SORT(age DESC) LIMIT(7)      a class, a condition, descriptors
          Person | age > 30 | SORT(age) | select(name) the same as stages

        Conditions      == != < <= > >= BETWEEN {1, 5} IN {"a", "b"} AND OR NOT ( )
        Text            BEGINSWITH CONTAINS ENDSWITH LIKE "a*?"; ==[c] "x" and [d]
        Geography       spot GEOWITHIN geoCircle([lon, lat], 0.01); geoBox, geoPolygon
        Literals        41 -7.5 "text" true nil {1, 2} and $name, set by -p name=TEXT
        Through links   plane.seats > 300    ANY dogs.age > 3    ALL NONE
        Aggregates      dogs.@count dogs.@avg.age @sum @min @max SUBQUERY(dogs, $d, ...)
        Order           SORT(city, age DESC) DISTINCT(city) SKIP(10) LIMIT(10)
        Columns         select(name, age * 2 AS double)
        Groups          group(city; n = @count, @avg.age AS mean)
        Charts          hist(age, 10)  bar(n)  spark(age), at the end
        Ends            count  exists  first  last
        Changes         write -x: set age = age + 1    delete

        Everything applies from left to right. nil sorts first, or last with DESC. Put
        names with characters other than letters, digits and _ in backquotes. Several
        QUERY arguments are the stages of one query.

        """

    static let eventsText = """
        The output of firn observe, one JSON object per line; see man firn-events.

          initial    the result at the start, in "objects"; "more" if lines follow
          update     commits, as "deletions", "insertions" and "modifications"
          heartbeat  nothing happened, and the stream is alive
          reset      changes are no longer kept; the stream starts again
          end        the stream has ended, for the given "reason"

        Each line has a "version" and a "token", from which --since resumes. --shape
        rows prints one line per object instead, with "op", "class", "id" and the
        object. firn diff prints the same lines, and firn write --input observe
        reads them.

        """

    static let examplesText = """
        Create and query a database:
          firn create people.firn --from people.csv --class Person --key id
          firn query people.firn 'Person age > 35 SORT(age DESC)'
          firn query people.firn 'Person city == $c' -p c=Oslo -s name -r

        Change and observe objects:
          firn write people.firn -x 'Person city == "Oslo" | set city = "Bergen"'
          firn write people.firn new.ndjson -c Person --upsert
          firn observe people.firn 'Person age > 50'

        Use versions:
          firn freeze people.firn monday --expires 7d
          firn query people.firn Person --at monday
          firn diff people.firn --from monday --summary

        Export:
          firn export people.firn people.csv
          firn export people.firn -f sql | sqlite3 people.sqlite
          firn query people.firn Person -f markdown

        Scripts that back up, ship, watch and compact databases: man firn-examples

        """
}
